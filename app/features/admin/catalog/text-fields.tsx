import Plus from "lucide-react/icons/plus";
import Trash from "lucide-react/icons/trash-2";
import {
  type AdminProduct,
  productLimits as most,
  productLimits,
} from "../../../../domain/catalog/product-admin.ts";
import { sizedName } from "../../../../domain/catalog/size-name.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { controlClass, Field, TextArea } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { type FieldOf, orNull } from "../../../ui/use-form.ts";
import { UsageSteps, usageSteps } from "../../catalog/usage-steps.tsx";
import { MoveButtons } from "../kit/rows/move-buttons.tsx";
import { useLineList } from "../kit/rows/use-line-list.ts";
import { Switch } from "../kit/switch.tsx";
import { type EditedTexts, fieldNames } from "./product-texts.ts";

type Fields = {
  form: { values: EditedTexts; field: FieldOf<EditedTexts> };
  problems: Record<string, string>;
};

/** The fields of a product's texts. */
export function TextFields({
  form,
  problems,
  formerSlugs,
  family,
}: Fields & Pick<AdminProduct, "formerSlugs" | "family">) {
  const texts = form.values;
  return (
    <>
      <Field
        {...form.field("name")}
        label="Name"
        required
        maxLength={most.name}
        hint={
          family
            ? `Of all ${family.sizes.length} sizes. This one is sold as “${sizedName(texts)}”.`
            : `At most ${most.name} characters. Orders that were placed keep the name they were placed with.`
        }
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          {...form.field("size")}
          label="Size"
          maxLength={most.size}
          hint="As on the label: 2 fl oz / 60 ml"
        />
        <Field
          {...form.field("slug", (typed) => typed.toLowerCase().replaceAll(" ", "-"))}
          label="Address"
          required
          maxLength={most.slug}
          autoCapitalize="none"
          spellCheck={false}
          hint={<SlugHint slug={texts.slug} formerSlugs={formerSlugs} />}
        />
      </div>
      <TextArea
        {...form.field("shortDescription")}
        label="Short description"
        rows={2}
        maxLength={most.shortDescription}
        hint={`One sentence, for search results and the home page. ${texts.shortDescription.length} of ${most.shortDescription} characters.`}
      />
      <TextArea
        {...form.field("description")}
        label="Description"
        rows={6}
        maxLength={most.description}
        hint={`For the product’s page. ${texts.description.length} of ${most.description.toLocaleString("en-US")} characters.`}
      />
      <BenefitsField {...form.field("benefits")} problems={problems} />
      <UsageField {...form.field("usage")} />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          {...form.field("scent", orNull)}
          label={fieldNames.scent}
          optional
          maxLength={most.scent}
          hint="Below the description, like “Roasted and nutty, with no fragrance added”."
        />
        <Field
          {...form.field("lasts", orNull)}
          label={fieldNames.lasts}
          optional
          maxLength={most.lasts}
          hint="Only what you have tried, like “About 3 months of weekly hair masks”."
        />
        <Field
          {...form.field("videoUrl", orNull)}
          label={fieldNames.videoUrl}
          optional
          type="url"
          inputMode="url"
          autoComplete="off"
          maxLength={most.videoUrl}
          hint="Address of an MP4 file, with https://. It comes last among the pictures, behind the first picture, and plays without sound when it is pressed."
          className="sm:col-span-2"
        />
        <Field
          {...form.field("gtin", orNull)}
          label={fieldNames.gtin}
          inputMode="numeric"
          maxLength={40}
          hint="The digits below the bar code, for shopping search. Leave it empty if the bottle has none."
        />
        <Field
          {...form.field("mpn", orNull)}
          label={fieldNames.mpn}
          maxLength={most.mpn}
          hint="Your own number for it, where it has no bar code."
        />
      </div>
      <fieldset className="grid gap-1">
        <legend className="mb-1.5 text-small font-medium">Badges on the product’s page</legend>
        <Switch
          {...form.field("isBestseller")}
          label="Bestseller"
          hint="Only while it is true: it is what sells most."
        />
        <Switch {...form.field("isNew")} label="New" />
      </fieldset>
    </>
  );
}

function SlugHint({ slug, formerSlugs }: { slug: string; formerSlugs: readonly string[] }) {
  return (
    <span className="wrap-anywhere">
      /product/{slug}. Small letters, digits and hyphens.{" "}
      {formerSlugs.length > 0
        ? `These lead here too: ${formerSlugs.join(", ")}.`
        : "If you change it, the old address goes on leading here."}
    </span>
  );
}

/** The usage text of the product, with a preview of the steps that the page makes from it. */
function UsageField({
  value: usage,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange: (usage: string) => void;
}) {
  const steps = usageSteps(usage);
  return (
    <div className="grid gap-5 xl:grid-cols-2 xl:items-start">
      <TextArea
        name="usage"
        label="How to use"
        rows={14}
        maxLength={productLimits.usage}
        value={usage}
        error={error}
        hint="One step per paragraph, with an empty line between. Its first line is the title, its last line the dose; two lines are title and text, a single line is text alone."
        onChange={(event) => onChange(event.target.value)}
      />
      <div className="rounded-sm bg-cream-soft p-4">
        <p className="mb-3 text-caption font-semibold text-ink-muted">As shoppers read it</p>
        {steps.length > 0 ? (
          <UsageSteps steps={steps} />
        ) : (
          <p className="text-small text-ink-muted">
            Nothing yet: the product’s page leaves this part out. For example:
            <span className="mt-2 block whitespace-pre-line text-ink">
              {"Hair\nMassage into the scalp and leave for 30 minutes.\n5 drops, once a week"}
            </span>
          </p>
        )}
      </div>
    </div>
  );
}

/** The list of key benefits, one line each. Enter adds a line, Alt with an arrow key moves one. */
function BenefitsField({
  value: benefits,
  problems,
  onChange,
}: {
  value: readonly string[];
  /** `benefits` or `benefits.2` -> sentence. */
  problems: Record<string, string>;
  onChange: (benefits: string[]) => void;
}) {
  const list = useLineList(benefits, onChange);
  const isFull = benefits.length >= productLimits.benefits;

  return (
    <fieldset id="benefits" tabIndex={-1} className="grid gap-2" aria-describedby="benefits-note">
      <legend className="mb-1.5 text-small font-medium">Key benefits</legend>
      <p id="benefits-note" className="-mt-1 text-caption text-ink-muted">
        {problems.benefits ??
          `One short line each, at most ${productLimits.benefits}. Enter begins the next one.`}
      </p>
      {benefits.map((benefit, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no identity besides its place
        <div key={at} className="grid items-center gap-x-1 sm:grid-cols-[minmax(0,1fr)_auto]">
          <input
            type="text"
            ref={list.inputRef(at)}
            aria-label={`Benefit ${at + 1} of ${benefits.length}`}
            aria-invalid={problems[`benefits.${at}`] ? true : undefined}
            aria-describedby={problems[`benefits.${at}`] ? `benefit-${at}-note` : undefined}
            id={`benefits.${at}`}
            className={controlClass}
            maxLength={productLimits.benefit}
            value={benefit}
            onChange={(event) => onChange(benefits.with(at, event.target.value))}
            onKeyDown={(event) => {
              list.moveByKey(event, at, "");
              if (event.key !== "Enter") return;
              event.preventDefault();
              if (!isFull) list.add("", at + 1);
            }}
          />
          <span className="flex max-sm:justify-end">
            <MoveButtons what={`benefit ${at + 1}`} {...list.moves(at, "")} />
            <IconButton
              label={`Remove benefit ${at + 1}`}
              onClick={() => list.remove(at, `Benefit ${at + 1}`)}
            >
              <Icon glyph={Trash} size="small" />
            </IconButton>
          </span>
          {problems[`benefits.${at}`] && (
            <p id={`benefit-${at}-note`} className="text-caption font-medium text-danger">
              {problems[`benefits.${at}`]}
            </p>
          )}
        </div>
      ))}
      <div>
        <Button variant="secondary" size="small" disabled={isFull} onClick={() => list.add("")}>
          <Icon glyph={Plus} size="small" /> Add benefit
        </Button>
      </div>
      <span role="status" className="sr-only">
        {list.announcement}
      </span>
    </fieldset>
  );
}
