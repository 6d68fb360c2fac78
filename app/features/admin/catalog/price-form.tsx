import { type FormEvent, useState } from "react";
import { type AdminProduct, productLimits } from "../../../../domain/catalog/product-admin.ts";
import { Button } from "../../../ui/button.tsx";
import { callApi } from "../../api.ts";
import { MoneyField } from "../kit/money-field.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

type Priced = Pick<AdminProduct, "id" | "price" | "revision">;

/** A product's price, saved by itself. */
export function PriceForm({ product }: { product: Priced }) {
  const [cents, setCents] = useState(product.price);
  const action = useAdminAction("PUT /api/products/:id/price", {
    success: { title: "Product price updated successfully" },
    failure: "Failed to update product price",
  });
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (cents <= productLimits.price) void action.perform(() => savePrice(product, cents));
      }}
    >
      <MoneyField
        name={`price-${product.id}`}
        label="New price (USD)"
        value={cents}
        maxCents={productLimits.price}
        disabled={action.busy}
        error={action.fields.price}
        onChange={(next) => next !== null && setCents(next)}
        className="min-w-36 max-w-56 flex-1"
      />
      <Button
        type="submit"
        size="small"
        className="min-h-12.5!"
        busy={action.busy}
        busyText="Updating"
        disabled={!(cents <= productLimits.price) || cents === product.price}
      >
        Update Price
      </Button>
    </form>
  );
}

/** Another's price is not overwritten unseen; that its words were changed meanwhile does not matter here. */
async function savePrice({ id, price: seen, revision }: Priced, price: number) {
  const save = (from: number) =>
    callApi("PUT /api/products/:id/price", { params: { id }, body: { price, revision: from } });
  const answer = await save(revision);
  const current = answer.ok ? null : (answer.problem.current as AdminProduct | undefined);
  return current?.price === seen ? save(current.revision) : answer;
}
