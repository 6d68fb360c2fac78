import Plus from "lucide-react/icons/plus";
import Trash from "lucide-react/icons/trash-2";
import { type AdminProduct, productLimits } from "../../../../domain/catalog/product-admin.ts";
import { sizedName } from "../../../../domain/catalog/size-name.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { controlClass, Field, TextArea } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Picture } from "../../../ui/picture.tsx";
import { type FieldProps, orNull } from "../../../ui/use-form.ts";
import { UsageSteps } from "../../catalog/usage-steps.tsx";
import { usageSteps } from "../../catalog/usage-text.ts";
import { PanelButton } from "../kit/action-button.tsx";
import { Fold } from "../kit/fold.tsx";
import { MoveButtons } from "../kit/rows/move-buttons.tsx";
import { useLineList } from "../kit/rows/use-line-list.ts";
import { Switch } from "../kit/switch.tsx";
import type { ProductForm } from "./product-editor.tsx";
import { type EditedTexts, productFields } from "./product-values.ts";

/** Tab with the texts that shoppers read, beside a preview of the product in the shop. */
export function TextsPanel({ product, form }: { product: AdminProduct; form: ProductForm }) {
  const { values: texts, field, problems } = form;
  const steps = usageSteps(texts.usage).length;
  const badges = [...(texts.isBestseller ? ["Bestseller"] : []), ...(texts.isNew ? ["New"] : [])];
  const stateText = (name: "benefits" | "usage", text: string) =>
    name in form.changes ? `${text}, changed` : text;
  return (
    <div className="stack gap-4 xl:grid-cols-[minmax(0,1fr)_20rem] xl:items-start">
      <form noValidate onSubmit={form.save} className="grid min-w-0 gap-4">
        <Card className="grid gap-5 p-4 sm:p-5">
          <div className="grid gap-5 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <Field
              {...field("name")}
              label="Name"
              required
              maxLength={productLimits.name}
              hint={
                product.family
                  ? `Shared by all ${product.family.sizes.length} sizes. This one is sold as “${sizedName(texts)}”.`
                  : undefined
              }
            />
            <Field {...field("size")} label="Size" maxLength={productLimits.size} hint="As on the label" />
          </div>
          <TextArea
            {...field("shortDescription")}
            label="Short description"
            rows={2}
            maxLength={productLimits.shortDescription}
            className="[&_textarea]:min-h-19"
            hint={`One sentence, for search results and the home page. ${texts.shortDescription.length} of ${productLimits.shortDescription} characters.`}
          />
          <TextArea
            {...field("description")}
            label="Description"
            rows={6}
            maxLength={productLimits.description}
            hint={`For the product’s page. ${texts.description.length} of ${productLimits.description.toLocaleString("en-US")} characters.`}
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <Field
              {...field("scent", orNull)}
              label={productFields.scent.label}
              maxLength={productLimits.scent}
              hint="Like “Roasted and nutty, with no fragrance added”."
            />
            <Field
              {...field("lasts", orNull)}
              label={productFields.lasts.label}
              maxLength={productLimits.lasts}
              hint="Only what you have tried, like “About 3 months”."
            />
          </div>
        </Card>
        <Card className="divide-y divide-line">
          <Fold title="Benefits" state={stateText("benefits", countText(texts.benefits.length, "line"))}>
            <BenefitsField {...field("benefits")} problems={problems} />
          </Fold>
          <Fold title="How to use" state={stateText("usage", countText(steps, "step"))}>
            <UsageField {...field("usage")} />
          </Fold>
          <Fold title="Badges" state={badges.join(", ") || "None"}>
            <fieldset className="grid gap-1">
              <legend className="sr-only">Badges on the product’s page</legend>
              <Switch {...field("isBestseller")} label="Bestseller" hint="Only while it really sells most." />
              <Switch {...field("isNew")} label="New" />
            </fieldset>
          </Fold>
        </Card>
        <button type="submit" hidden />
      </form>
      <ShopCard product={product} texts={texts} />
    </div>
  );
}

const countText = (count: number, noun: string) =>
  count === 0 ? "None" : `${count} ${count === 1 ? noun : `${noun}s`}`;

/** Preview of the product in the shop, with the unsaved texts. */
function ShopCard({ product, texts }: { product: AdminProduct; texts: EditedTexts }) {
  const image = product.images.find(({ status }) => status === "ready");
  return (
    <Card className="p-5 max-xl:hidden">
      <p className="mb-3 text-caption text-ink-muted">As the shop shows it</p>
      {image && (
        <Picture image={image} alt="" sizes="280px" className="aspect-4/3 w-full rounded-xs object-cover" />
      )}
      {/* Not a paragraph: accessibility checks would take such large text for a heading of the panel’s page. */}
      <div className="mt-4 type-display text-h3 wrap-anywhere">
        {product.family ? sizedName(texts) : texts.name}
      </div>
      <p className="mt-1.5 text-small wrap-anywhere text-ink-muted">{texts.shortDescription}</p>
      <p className="mt-2.5 type-display text-h3 tabular-nums">{formatCents(product.price)}</p>
    </Card>
  );
}

/** The product's usage text, with a preview of the steps that its page shows. */
function UsageField({ value: usage, error, onChange }: FieldProps<string>) {
  const steps = usageSteps(usage);
  return (
    <div className="grid gap-5">
      <TextArea
        name="usage"
        label="How to use"
        rows={10}
        maxLength={productLimits.usage}
        value={usage}
        error={error}
        hint="One step per paragraph, with an empty line between. Its first line is the title, its last line the dose; two lines are title and text, a single line is text alone."
        onChange={(event) => onChange(event.target.value)}
      />
      <div className="rounded-sm bg-cream-soft p-4">
        <p className="mb-3 text-caption font-semibold text-ink-muted">As shoppers see it</p>
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

/** The list of key benefits, one line each. Enter adds a line, Alt with an arrow key moves the focused line. */
function BenefitsField({
  value: benefits,
  problems,
  onChange,
}: FieldProps<string[]> & {
  /** Messages by field: `benefits`, or `benefits.2` for one line. */
  problems: Record<string, string>;
}) {
  const list = useLineList(benefits, onChange);
  const isFull = benefits.length >= productLimits.benefits;

  return (
    <fieldset id="benefits" tabIndex={-1} className="grid gap-2" aria-describedby="benefits-note">
      <legend className="sr-only">Key benefits</legend>
      <p id="benefits-note" className="-mt-1 text-caption text-ink-muted">
        {problems.benefits ??
          `One short line each, at most ${productLimits.benefits}. Enter begins the next one.`}
      </p>
      {benefits.map((benefit, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no identity besides its index
        <div key={index} className="grid items-center gap-x-1 sm:grid-cols-[minmax(0,1fr)_auto]">
          <input
            type="text"
            ref={list.inputRef(index)}
            aria-label={`Benefit ${index + 1} of ${benefits.length}`}
            aria-invalid={problems[`benefits.${index}`] ? true : undefined}
            aria-describedby={problems[`benefits.${index}`] ? `benefit-${index}-note` : undefined}
            id={`benefits.${index}`}
            className={controlClass}
            maxLength={productLimits.benefit}
            value={benefit}
            onChange={(event) => onChange(benefits.with(index, event.target.value))}
            onKeyDown={(event) => {
              list.moveByKey(event, index, "");
              if (event.key !== "Enter") return;
              event.preventDefault();
              if (!isFull) list.add("", index + 1);
            }}
          />
          <span className="flex max-sm:justify-end">
            <MoveButtons name={`benefit ${index + 1}`} {...list.moveButtonProps(index, "")} />
            <IconButton
              label={`Remove benefit ${index + 1}`}
              onClick={() => list.remove(index, `Benefit ${index + 1}`)}
            >
              <Icon glyph={Trash} size="small" />
            </IconButton>
          </span>
          {problems[`benefits.${index}`] && (
            <p id={`benefit-${index}-note`} className="text-caption font-medium text-danger">
              {problems[`benefits.${index}`]}
            </p>
          )}
        </div>
      ))}
      <div>
        <PanelButton disabled={isFull} onClick={() => list.add("")}>
          <Icon glyph={Plus} size="small" /> Add benefit
        </PanelButton>
      </div>
      <span role="status" className="sr-only">
        {list.announcement}
      </span>
    </fieldset>
  );
}
