import { type AdminProduct, productLimits } from "../../../../domain/catalog/product-admin.ts";
import { sizedName } from "../../../../domain/catalog/size-name.ts";
import { Card } from "../../../ui/card.tsx";
import { Field } from "../../../ui/field.tsx";
import { orNull } from "../../../ui/use-form.ts";
import { productPage } from "../../catalog/product-meta.ts";
import type { ProductForm } from "./product-editor.tsx";
import { productFields, textsOf } from "./product-values.ts";

/** Tab with the product's address and bar code numbers, beside a preview of its search result. */
export function SearchPanel({ product, form }: { product: AdminProduct; form: ProductForm }) {
  const { values, field } = form;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:grid-cols-[minmax(0,1fr)_20rem] xl:items-start">
      <form noValidate onSubmit={form.save}>
        <Card className="grid gap-5 p-4 sm:p-5">
          <Field
            {...field("slug", (typed) => typed.toLowerCase().replaceAll(" ", "-"))}
            label={productFields.slug.label}
            required
            maxLength={productLimits.slug}
            autoCapitalize="none"
            spellCheck={false}
            hint={<SlugHint slug={values.slug} formerSlugs={product.formerSlugs} />}
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <Field
              {...field("gtin", orNull)}
              label={productFields.gtin.label}
              optional
              inputMode="numeric"
              maxLength={40}
              hint="The digits below the bar code. Leave it empty if the bottle has none."
            />
            <Field
              {...field("mpn", orNull)}
              label={productFields.mpn.label}
              optional
              maxLength={productLimits.mpn}
              hint="Your own number for it, if it has no bar code."
            />
          </div>
        </Card>
        <button type="submit" hidden />
      </form>
      <SearchPreview
        product={{
          ...product,
          ...textsOf(values),
          name: product.family ? sizedName(values) : values.name,
        }}
      />
    </div>
  );
}

/** The page's title and description in search results and link previews. */
function SearchPreview({ product }: { product: AdminProduct }) {
  const { title, description, path } = productPage({ ...product, stock: null });
  return (
    <Card className="p-4 sm:p-5">
      <p className="mb-2 text-caption text-ink-muted">In search results</p>
      <p className="text-caption wrap-anywhere text-ink-muted">{path}</p>
      <p className="text-ui font-medium wrap-anywhere text-link">{title}</p>
      <p className="mt-1 text-small wrap-anywhere">{description}</p>
      <p className="mt-3 text-caption text-ink-muted">
        Title and description follow name, short description, size and price.
      </p>
    </Card>
  );
}

function SlugHint({ slug, formerSlugs }: { slug: string; formerSlugs: readonly string[] }) {
  return (
    <span className="wrap-anywhere">
      /product/{slug}. Small letters, digits and hyphens.{" "}
      {formerSlugs.length > 0
        ? `These lead here too: ${formerSlugs.join(", ")}.`
        : "If you change it, the old address will still lead here."}
    </span>
  );
}
