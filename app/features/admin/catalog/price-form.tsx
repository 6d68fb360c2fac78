import { type FormEvent, useState } from "react";
import { type AdminProduct, priceConcern, productLimits } from "../../../../domain/catalog/product-admin.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Button } from "../../../ui/button.tsx";
import { callApi } from "../../api.ts";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { MoneyField } from "../kit/money-field.tsx";
import { useAdminForm } from "../kit/use-admin-action.ts";

type Priced = Pick<AdminProduct, "id" | "name" | "price" | "revision">;

/**
 * A product's price, saved separately; a price of 0, or far from the current one, asks for confirmation. `isQuiet`: outlined,
 * beside a more important button.
 */
export function PriceForm({ product, isQuiet = false }: { product: Priced; isQuiet?: boolean }) {
  /** Snapshot for the confirmation question, as prices may change while it is open. */
  const [question, setQuestion] = useState<{ product: Priced; cents: number; concern: string } | null>(null);
  const form = useAdminForm(
    "PUT /api/products/:id/price",
    { price: product.price },
    {
      success: { title: "Product price updated successfully" },
      failure: "Failed to update product price",
    },
  );
  const cents = form.values.price;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (form.busy || !(cents <= productLimits.price) || cents === product.price) return;
    const concern = priceConcern(product.price, cents);
    if (concern === null) void form.perform(() => savePrice(product, cents));
    else setQuestion({ product, cents, concern });
  }
  return (
    <form className="flex flex-wrap items-end gap-3" onSubmit={submit}>
      <MoneyField
        {...form.field("price")}
        name={`price-${product.id}`}
        label="New price (USD)"
        maxCents={productLimits.price}
        disabled={form.busy}
        className="min-w-36 max-w-56 flex-1"
      />
      <Button
        type="submit"
        size="small"
        variant={isQuiet ? "secondary" : "primary"}
        className="min-h-12.5!"
        busy={form.busy && question === null}
        busyText="Updating"
        disabled={!(cents <= productLimits.price) || cents === product.price}
      >
        Update Price
      </Button>
      {question && (
        <ConfirmDialog
          open
          danger={question.cents === 0}
          onClose={() => {
            form.clearProblem();
            setQuestion(null);
          }}
          title={`Change ${question.product.name} from ${formatCents(question.product.price)} to ${formatCents(question.cents)}?`}
          description={question.concern}
          confirmLabel={`Change to ${formatCents(question.cents)}`}
          busyText="Changing..."
          form={form}
          send={() => form.perform(() => savePrice(question.product, question.cents))}
        />
      )}
    </form>
  );
}

/** A price set by another user is not overwritten unseen; their changes of the texts do not matter here. */
async function savePrice({ id, price: seen, revision }: Priced, price: number) {
  const save = (from: number) =>
    callApi("PUT /api/products/:id/price", { params: { id }, body: { price, revision: from } });
  const answer = await save(revision);
  const current = answer.ok ? null : (answer.problem.current as AdminProduct | undefined);
  return current?.price === seen ? save(current.revision) : answer;
}
