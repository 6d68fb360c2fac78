import { type AdminProduct, productLimits as most } from "../../../../domain/catalog/product-admin.ts";
import { sizedName } from "../../../../domain/catalog/size-name.ts";
import { Field } from "../../../ui/field.tsx";
import { TextArea } from "../../../ui/text-area.tsx";
import { Switch } from "../kit/switch.tsx";
import { BenefitsField } from "./benefits-field.tsx";
import { fieldNames } from "./field-names.ts";
import type { DraftTexts } from "./product-draft.ts";
import { UsageField } from "./usage-field.tsx";

type Fields = {
  texts: DraftTexts;
  problems: Record<string, string>;
  onChange: (change: Partial<DraftTexts>) => void;
};

/** All that the owner writes of a product. */
export function TextFields({
  texts,
  problems,
  onChange,
  formerSlugs,
  family,
}: Fields & Pick<AdminProduct, "formerSlugs" | "family">) {
  return (
    <>
      <Field
        name="name"
        label="Name"
        required
        maxLength={most.name}
        value={texts.name}
        error={problems.name}
        hint={
          family
            ? `Of all ${family.sizes.length} sizes. This one is sold as “${sizedName(texts)}”.`
            : `At most ${most.name} characters. Orders that were placed keep the name they were placed with.`
        }
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          name="size"
          label="Size"
          maxLength={most.size}
          value={texts.size}
          error={problems.size}
          hint="As on the label: 2 fl oz / 60 ml"
          onChange={(event) => onChange({ size: event.target.value })}
        />
        <Field
          name="slug"
          label="Address"
          required
          maxLength={most.slug}
          autoCapitalize="none"
          spellCheck={false}
          value={texts.slug}
          error={problems.slug}
          hint={<SlugHint slug={texts.slug} formerSlugs={formerSlugs} />}
          onChange={(event) => onChange({ slug: event.target.value.toLowerCase().replaceAll(" ", "-") })}
        />
      </div>
      <TextArea
        name="shortDescription"
        label="Short description"
        rows={2}
        maxLength={most.shortDescription}
        value={texts.shortDescription}
        error={problems.shortDescription}
        hint={`One sentence, for search results and the home page. ${texts.shortDescription.length} of ${most.shortDescription} characters.`}
        onChange={(event) => onChange({ shortDescription: event.target.value })}
      />
      <TextArea
        name="description"
        label="Description"
        rows={6}
        maxLength={most.description}
        value={texts.description}
        error={problems.description}
        hint={`For the product’s page. ${texts.description.length} of ${most.description.toLocaleString("en-US")} characters.`}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      <BenefitsField
        benefits={texts.benefits}
        problems={problems}
        onChange={(benefits) => onChange({ benefits })}
      />
      <UsageField usage={texts.usage} error={problems.usage} onChange={(usage) => onChange({ usage })} />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          name="scent"
          label={fieldNames.scent}
          optional
          maxLength={most.scent}
          value={texts.scent ?? ""}
          error={problems.scent}
          hint="Below the description, like “Roasted and nutty, with no fragrance added”."
          onChange={(event) => onChange({ scent: event.target.value || null })}
        />
        <Field
          name="lasts"
          label={fieldNames.lasts}
          optional
          maxLength={most.lasts}
          value={texts.lasts ?? ""}
          error={problems.lasts}
          hint="Only what you have tried, like “About 3 months of weekly hair masks”."
          onChange={(event) => onChange({ lasts: event.target.value || null })}
        />
        <Field
          name="videoUrl"
          label={fieldNames.videoUrl}
          optional
          type="url"
          inputMode="url"
          autoComplete="off"
          maxLength={most.videoUrl}
          value={texts.videoUrl ?? ""}
          error={problems.videoUrl}
          hint="Address of an MP4 file, with https://. It comes last among the pictures, behind the first picture, and plays without sound when it is pressed."
          className="sm:col-span-2"
          onChange={(event) => onChange({ videoUrl: event.target.value || null })}
        />
        <Field
          name="gtin"
          label={fieldNames.gtin}
          inputMode="numeric"
          maxLength={40}
          value={texts.gtin ?? ""}
          error={problems.gtin}
          hint="The digits below the bar code, for shopping search. Leave it empty if the bottle has none."
          onChange={(event) => onChange({ gtin: event.target.value || null })}
        />
        <Field
          name="mpn"
          label={fieldNames.mpn}
          maxLength={most.mpn}
          value={texts.mpn ?? ""}
          error={problems.mpn}
          hint="Your own number for it, where it has no bar code."
          onChange={(event) => onChange({ mpn: event.target.value || null })}
        />
      </div>
      <fieldset className="grid gap-1">
        <legend className="mb-1.5 text-small font-medium">Badges on the product’s page</legend>
        <Switch
          name="isBestseller"
          label="Bestseller"
          hint="Only while it is true: it is what sells most."
          checked={texts.isBestseller}
          onChange={(isBestseller) => onChange({ isBestseller })}
        />
        <Switch name="isNew" label="New" checked={texts.isNew} onChange={(isNew) => onChange({ isNew })} />
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
