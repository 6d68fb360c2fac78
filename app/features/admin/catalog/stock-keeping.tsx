import { type FormEvent, useState } from "react";
import {
  type AdminProduct,
  marginOf,
  productLimits,
  stockKeepingFields,
  type StockKeeping as Values,
} from "../../../../domain/catalog/product-admin.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Button } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field } from "../../../ui/field.tsx";
import { callApi } from "../../api.ts";
import { LeaveGuard } from "../kit/leave-guard.tsx";
import { MoneyField } from "../kit/money-field.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

const valuesOf = ({ sku, weightGrams, cost, compareAtPrice }: AdminProduct): Values => ({
  sku,
  weightGrams,
  cost,
  compareAtPrice,
});

/** SKU, weight, cost and compare-at price, saved by themselves. What somebody else saved meanwhile is not overwritten unseen. */
export function StockKeeping({ product }: { product: AdminProduct }) {
  const [base, setBase] = useState(() => ({ values: valuesOf(product), revision: product.revision }));
  const [values, setValues] = useState(base.values);
  const [grams, setGrams] = useState(() => digits(base.values.weightGrams));
  const action = useAdminAction("PATCH /api/admin/products/:id", { failure: null });
  const set = (change: Partial<Values>) => setValues({ ...values, ...change });
  const changed = stockKeepingFields.filter((field) => !Object.is(values[field], base.values[field]));
  function begin(from: AdminProduct) {
    setBase({ values: valuesOf(from), revision: from.revision });
    setValues(valuesOf(from));
    setGrams(digits(from.weightGrams));
  }
  // Untouched, it follows what others save.
  if (changed.length === 0 && product.revision > base.revision) begin(product);
  const isWrong = Object.values(values).some((value) => Number.isNaN(value));

  async function save(event: FormEvent) {
    event.preventDefault();
    if (action.busy || changed.length === 0 || isWrong) return;
    const body = Object.fromEntries(changed.map((field) => [field, values[field]]));
    const send = (revision: number) =>
      callApi("PATCH /api/admin/products/:id", { params: { id: product.id }, body: { ...body, revision } });
    await action.perform(
      async () => {
        let sent = await send(base.revision);
        const current = sent.ok ? undefined : (sent.problem.current as AdminProduct | undefined);
        if (current) {
          const theirs = valuesOf(current);
          // Others have changed something else: nothing of theirs is lost.
          if (changed.every((field) => theirs[field] === base.values[field]))
            sent = await send(current.revision);
          else setBase({ values: theirs, revision: current.revision });
        }
        if (sent.ok) begin(sent.body.data);
        return sent;
      },
      { success: { title: "Product saved" } },
    );
  }

  return (
    <form noValidate onSubmit={save} aria-labelledby="stock-keeping" className="grid gap-4">
      <div>
        <h2 id="stock-keeping" className="text-h3">
          SKU, weight and cost
        </h2>
        <p className="mt-1 text-small text-ink-muted">
          For you alone. The barcode is in the form with the texts.
        </p>
      </div>
      {action.problem && Object.keys(action.fields).length === 0 && (
        <Banner title="Nothing was saved.">
          {action.problem.message} {changed.length > 0 && "Save again to put yours in its place."}
        </Banner>
      )}
      <Field
        name="sku"
        label="SKU"
        optional
        maxLength={productLimits.sku}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={values.sku ?? ""}
        error={action.fields.sku}
        hint="Your own number for it, on packing slips and in orders."
        onChange={(event) => set({ sku: event.target.value || null })}
      />
      <Field
        name="weightGrams"
        label="Weight in grams"
        optional
        inputMode="numeric"
        autoComplete="off"
        value={grams}
        error={Number.isNaN(values.weightGrams) ? "Whole grams, in digits alone" : action.fields.weightGrams}
        hint="Of one unit, with its bottle and box."
        onChange={(event) => {
          setGrams(event.target.value);
          set({ weightGrams: gramsOf(event.target.value) });
        }}
      />
      <MoneyField
        name="cost"
        label="Cost (USD)"
        optional
        maxCents={productLimits.price}
        value={values.cost}
        error={action.fields.cost}
        hint={<Margin price={product.price} cost={values.cost} />}
        onChange={(cost) => set({ cost })}
      />
      <MoneyField
        name="compareAtPrice"
        label="Compare-at price (USD)"
        optional
        maxCents={productLimits.price}
        value={values.compareAtPrice}
        error={action.fields.compareAtPrice}
        hint={
          values.compareAtPrice !== null && values.compareAtPrice <= product.price
            ? `Shoppers do not see it: it is not above ${formatCents(product.price)}.`
            : "Shown struck through beside a lower price. Only one that it was really sold at."
        }
        onChange={(compareAtPrice) => set({ compareAtPrice })}
      />
      <div>
        <Button
          type="submit"
          size="small"
          busy={action.busy}
          busyText="Saving"
          disabled={changed.length === 0 || isWrong}
        >
          Save<span className="sr-only"> SKU, weight and cost</span>
        </Button>
      </div>
      <LeaveGuard isDirty={changed.length > 0} />
    </form>
  );
}

function Margin({ price, cost }: { price: number; cost: number | null }) {
  const margin = marginOf(price, cost);
  if (margin === null) return "What one unit costs you. Shoppers never see it.";
  if (margin.cents < 0)
    return `Sold at ${formatCents(-margin.cents)} below its cost. Shoppers never see this.`;
  return `Margin ${formatCents(margin.cents)}, ${margin.percent} % of the price, before shipping and fees. Shoppers never see it.`;
}

function digits(grams: number | null): string {
  return grams === null ? "" : String(grams);
}

/** NaN: no whole number. */
function gramsOf(typed: string): number | null {
  const text = typed.trim();
  if (text === "") return null;
  return /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
}
