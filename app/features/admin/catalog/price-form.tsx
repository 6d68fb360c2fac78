import { type FormEvent, useState } from "react";
import { type AdminProduct, priceConcern, productLimits } from "../../../../domain/catalog/product-admin.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { callApi } from "../../api.ts";
import { PanelButton } from "../kit/action-button.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { MoneyField } from "../kit/money-field.tsx";
import { useAdminForm } from "../kit/use-admin-action.ts";

type PricedProduct = Pick<AdminProduct, "id" | "name" | "price" | "revision">;

/**
 * A product's price, saved separately; a price of 0, or far from the current one, asks for confirmation. `isQuiet`: whether
 * the button is only outlined, because a more important one is on the page.
 */
export function PriceForm({ product, isQuiet = false }: { product: PricedProduct; isQuiet?: boolean }) {
  /** Snapshot for the confirmation, because prices may change while it is open. */
  const [confirmation, setConfirmation] = useState<{
    product: PricedProduct;
    cents: number;
    concern: string;
  } | null>(null);
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
    else setConfirmation({ product, cents, concern });
  }
  return (
    <form className="flex flex-wrap items-end gap-3" onSubmit={submit}>
      <MoneyField
        {...form.field("price")}
        name={`price-${product.id}`}
        label="New price (USD)"
        maxCents={productLimits.price}
        disabled={form.busy}
        className="min-w-[min(9rem,100%)] max-w-56 flex-1"
      />
      <PanelButton
        type="submit"
        variant={isQuiet ? "secondary" : "primary"}
        className="min-h-12.5!"
        busy={form.busy && confirmation === null}
        busyText="Updating"
        disabled={!(cents <= productLimits.price) || cents === product.price}
      >
        Update Price
      </PanelButton>
      {confirmation && (
        <ConfirmDialog
          danger={confirmation.cents === 0}
          onClose={() => {
            form.clearProblem();
            setConfirmation(null);
          }}
          title={`Change ${confirmation.product.name} from ${formatCents(confirmation.product.price)} to ${formatCents(confirmation.cents)}?`}
          description={confirmation.concern}
          confirmLabel={`Change to ${formatCents(confirmation.cents)}`}
          busyText="Changing..."
          form={form}
          send={() => form.perform(() => savePrice(confirmation.product, confirmation.cents))}
        />
      )}
    </form>
  );
}

/**
 * Saves the price. If another user has changed only texts, saves it again with the new revision; a price that they changed
 * is not overwritten.
 */
async function savePrice({ id, price: shownPrice, revision }: PricedProduct, price: number) {
  const saveOver = (baseRevision: number) =>
    callApi("PUT /api/products/:id/price", { params: { id }, body: { price, revision: baseRevision } });
  const response = await saveOver(revision);
  const current = response.ok ? null : (response.problem.current as AdminProduct | undefined);
  return current?.price === shownPrice ? saveOver(current.revision) : response;
}
