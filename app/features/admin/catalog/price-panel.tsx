import { Link } from "react-router";
import { type AdminProduct, productLimits, profitMargin } from "../../../../domain/catalog/product-admin.ts";
import { countries } from "../../../../domain/shared/country.ts";
import { ouncesText } from "../../../../domain/shared/measures.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Field, Options, Select } from "../../../ui/field.tsx";
import { MoneyField } from "../kit/money-field.tsx";
import { PriceForm } from "./price-form.tsx";
import type { ProductForm } from "./product-editor.tsx";
import { CurrentPrice } from "./product-facts.tsx";
import { parseGrams, productFields } from "./product-values.ts";

/** Tab with the price (saved by its own button), the stock, and the numbers that shoppers do not see. */
export function PricePanel({ product, form }: { product: AdminProduct; form: ProductForm }) {
  return (
    <div className="stack gap-4 lg:grid-cols-2 lg:items-start">
      <div className="grid min-w-0 gap-4">
        <Card className="grid gap-3 p-4 sm:p-5">
          <div>
            <h2 className="card-title">Price</h2>
            <CurrentPrice product={product} />
          </div>
          <PriceForm product={product} isQuiet={form.isDirty} />
          <p className="text-caption text-ink-muted">
            Update Price saves only the price. Carts get the new price; paid orders keep theirs.
          </p>
        </Card>
        <Stock product={product} />
      </div>
      <StockKeeping product={product} form={form} />
    </div>
  );
}

function Stock({ product: { id, onHand, reserved, stock, waiting } }: { product: AdminProduct }) {
  const units = (count: number) => count.toLocaleString("en-US");
  const rows = [
    { label: "On the shelf", count: units(onHand) },
    ...(reserved > 0 ? [{ label: "In orders that are being paid", count: `\u2212${units(reserved)}` }] : []),
  ];
  return (
    <Card>
      <section aria-labelledby="stock">
        <div className="flex items-center justify-between gap-4 border-b border-line p-4 sm:px-5">
          <h2 id="stock" className="card-title">
            Stock
          </h2>
          <ButtonLink variant="secondary" size="small" to={`/admin/products/${id}/stock`}>
            Add or count
          </ButtonLink>
        </div>
        <dl className="grid gap-2 p-4 text-ui tabular-nums sm:p-5">
          {rows.map(({ label, count }) => (
            <div key={label} className="flex justify-between gap-4">
              <dt>{label}</dt>
              <dd>{count}</dd>
            </div>
          ))}
          <div className="flex justify-between gap-4 border-t border-line-strong pt-2 font-semibold">
            <dt>Available</dt>
            <dd>{units(stock)}</dd>
          </div>
          {waiting > 0 && (
            <div className="flex justify-between gap-4 text-small text-ink-muted">
              <dt>Shoppers waiting for it</dt>
              <dd>{units(waiting)}</dd>
            </div>
          )}
        </dl>
        <p className="px-4 pb-3 sm:px-5">
          <Link
            className="link inline-flex min-h-11 items-center text-small"
            to={`/admin/products/${id}/stock`}
          >
            Batches and history
          </Link>
        </p>
      </section>
    </Card>
  );
}

/** SKU, weight, cost and compare-at price. */
function StockKeeping({
  product,
  form: { values, field, save },
}: {
  product: AdminProduct;
  form: ProductForm;
}) {
  const grams = parseGrams(values.weightGrams);
  return (
    <Card className="p-4 sm:p-5">
      <form noValidate onSubmit={save} aria-labelledby="stock-keeping" className="grid gap-4">
        <div>
          <h2 id="stock-keeping" className="card-title">
            SKU, weight and cost
          </h2>
          <p className="text-small text-ink-muted">Only you see these, except the compare-at price.</p>
        </div>
        <div className="grid grid-cols-2 items-start gap-4">
          <Field
            {...field("sku")}
            label={productFields.sku.label}
            maxLength={productLimits.sku}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <Field
            {...field("weightGrams")}
            label={productFields.weightGrams.label}
            inputMode="numeric"
            autoComplete="off"
            {...(Number.isNaN(grams) && { error: "Whole grams, digits only" })}
            hint={["With bottle and box", ouncesText(grams ?? Number.NaN)].filter(Boolean).join(", ")}
          />
          <MoneyField
            {...field("cost")}
            label={productFields.cost.label}
            optional
            maxCents={productLimits.price}
            className="[&_label>span]:sr-only"
          />
          <MoneyField
            {...field("compareAtPrice")}
            label={productFields.compareAtPrice.label}
            optional
            maxCents={productLimits.price}
            className="[&_label>span]:sr-only"
          />
        </div>
        <fieldset className="grid items-start gap-4 border-t border-line pt-4 sm:grid-cols-2">
          <legend className="sr-only">Customs</legend>
          <Field
            {...field("hsCode")}
            label={productFields.hsCode.label}
            inputMode="numeric"
            maxLength={20}
            autoComplete="off"
            hint="For customs, such as 1515.90"
          />
          <Select {...field("originCountry")} label={productFields.originCountry.label}>
            <option value="">Not specified</option>
            <Options of={countries} />
          </Select>
          <p className="text-caption text-ink-muted sm:col-span-2">
            A label to another country needs both for its customs form.
          </p>
        </fieldset>
        <p className="text-caption text-ink-muted">
          <Margin price={product.price} cost={values.cost} />{" "}
          {values.compareAtPrice !== null && values.compareAtPrice <= product.price
            ? `Shoppers do not see the compare-at price: it is not above ${formatCents(product.price)}.`
            : "Compare-at is shown struck through. Enter only a price at which it was really sold."}
        </p>
        <button type="submit" hidden />
      </form>
    </Card>
  );
}

function Margin({ price, cost }: { price: number; cost: number | null }) {
  const margin = profitMargin(price, cost);
  if (margin === null) return "Cost is what one unit costs you.";
  if (margin.cents < 0) return `Sold at ${formatCents(-margin.cents)} below its cost.`;
  return `Margin ${formatCents(margin.cents)}, ${margin.percent} % of the price, before shipping and fees.`;
}
