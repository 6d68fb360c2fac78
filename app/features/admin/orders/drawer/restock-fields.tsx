import type { AdminOrderItem, Restock } from "../../../../../domain/orders/admin-order.ts";
import { Select } from "../../../../ui/select.tsx";

/** Units to restock, by product id. */
export type RestockDraft = Record<number, number>;

/** How many units of each line came back; lines that are back already are left out. */
export function RestockFields({
  items,
  value: draft,
  onChange,
  disabled,
  error,
}: {
  items: AdminOrderItem[];
  value: RestockDraft;
  onChange: (draft: RestockDraft) => void;
  disabled: boolean;
  error?: string | undefined;
}) {
  const out = items.filter(({ quantity, returned }) => returned < quantity);
  if (out.length === 0) return null;
  return (
    <fieldset className="grid gap-3">
      <legend className="text-small font-medium">Back on the shelf</legend>
      {out.map(({ productId, name, quantity, returned }) => (
        <Select
          key={productId}
          label={name}
          name={`restock-${productId}`}
          className="max-w-60"
          value={draft[productId] ?? 0}
          disabled={disabled}
          error={error}
          onChange={(event) => onChange({ ...draft, [productId]: Number(event.target.value) })}
        >
          {[...Array(quantity - returned + 1).keys()].map((units) => (
            <option key={units} value={units}>
              {units === 0 ? "None" : units === 1 ? "1 unit" : `${units} units`}
            </option>
          ))}
        </Select>
      ))}
    </fieldset>
  );
}

/** Null: nothing came back. */
export function restockOf(draft: RestockDraft): Restock | null {
  const units = Object.entries(draft)
    .filter(([, quantity]) => quantity > 0)
    .map(([productId, quantity]) => ({ productId: Number(productId), quantity }));
  return units.length === 0 ? null : units;
}
