import type { FormEvent } from "react";
import { type AdminProduct, marginOf, productLimits } from "../../../../domain/catalog/product-admin.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Button } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field } from "../../../ui/field.tsx";
import { callApi } from "../../api.ts";
import { MoneyField } from "../kit/money-field.tsx";
import { LeaveGuard } from "../kit/save-bar.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { useSavedForm } from "../kit/use-saved-form.ts";

/** The saved values as texts and amounts for the fields; an empty text where there is no value. */
const savedValues = ({ revision, sku, weightGrams, cost, compareAtPrice }: AdminProduct) => ({
  revision,
  values: { sku: sku ?? "", weightGrams: String(weightGrams ?? ""), cost, compareAtPrice },
});

/** SKU, weight, cost and compare-at price, saved separately. Changes saved by others are not overwritten without notice. */
export function StockKeeping({ product }: { product: AdminProduct }) {
  const action = useAdminAction("PATCH /api/admin/products/:id", { failure: null });
  const form = useSavedForm(savedValues(product), { problems: action.fields });
  const { values, changes, isDirty } = form;
  const weightGrams = gramsOf(values.weightGrams);
  const isWrong = [weightGrams, values.cost, values.compareAtPrice].some((value) => Number.isNaN(value));

  async function save(event: FormEvent) {
    event.preventDefault();
    if (action.busy || !isDirty || isWrong) return;
    const { sku, weightGrams: weight, ...amounts } = changes;
    const body = {
      ...amounts,
      ...(sku !== undefined && { sku: sku || null }),
      ...(weight !== undefined && { weightGrams }),
    };
    await action.perform(
      async () => {
        const sent = await form.send(
          (revision) =>
            callApi("PATCH /api/admin/products/:id", {
              params: { id: product.id },
              body: { ...body, revision },
            }),
          savedValues,
        );
        const current = sent.ok ? sent.body.data : (sent.problem.current as AdminProduct | undefined);
        if (sent.ok) form.reset(savedValues(sent.body.data));
        // The message offers to overwrite the newer values with the next save.
        else if (current) form.settle(Object.keys(changes), "mine", savedValues(current));
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
      {action.generalProblem && (
        <Banner title="Nothing was saved.">
          {action.generalProblem.message} {isDirty && "Save again to put yours in its place."}
        </Banner>
      )}
      <Field
        {...form.field("sku")}
        label="SKU"
        optional
        maxLength={productLimits.sku}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        hint="Your own number for it, on packing slips and in orders."
      />
      <Field
        {...form.field("weightGrams")}
        label="Weight in grams"
        optional
        inputMode="numeric"
        autoComplete="off"
        {...(Number.isNaN(weightGrams) && { error: "Whole grams, in digits alone" })}
        hint="Of one unit, with its bottle and box."
      />
      <MoneyField
        {...form.field("cost")}
        label="Cost (USD)"
        optional
        maxCents={productLimits.price}
        hint={<Margin price={product.price} cost={values.cost} />}
      />
      <MoneyField
        {...form.field("compareAtPrice")}
        label="Compare-at price (USD)"
        optional
        maxCents={productLimits.price}
        hint={
          values.compareAtPrice !== null && values.compareAtPrice <= product.price
            ? `Shoppers do not see it: it is not above ${formatCents(product.price)}.`
            : "Shown struck through beside a lower price. Only one that it was really sold at."
        }
      />
      <div>
        <Button
          type="submit"
          size="small"
          busy={action.busy}
          busyText="Saving"
          disabled={!isDirty || isWrong}
        >
          Save<span className="sr-only"> SKU, weight and cost</span>
        </Button>
      </div>
      <LeaveGuard isDirty={isDirty} />
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

/** NaN: not a whole number. */
function gramsOf(typed: string): number | null {
  const text = typed.trim();
  if (text === "") return null;
  return /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
}
