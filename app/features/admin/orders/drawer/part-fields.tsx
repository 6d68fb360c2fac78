import type { AdminOrderItem } from "../../../../../domain/orders/admin-order.ts";
import { Select } from "../../../../ui/select.tsx";
import { TextButton } from "../../../../ui/text-button.tsx";

/** Units of a parcel by product id. */
export type ChosenUnits = Record<number, number>;

export function linesOf(units: ChosenUnits): { productId: number; quantity: number }[] {
  return Object.entries(units)
    .filter(([, quantity]) => quantity > 0)
    .map(([productId, quantity]) => ({ productId: Number(productId), quantity }));
}

/** Units in this parcel: all unshipped ones (`units` null) or some of them. No choice is shown for a single unit. */
export function PartFields({
  items,
  value: units,
  onChange,
  disabled,
  error,
}: {
  items: AdminOrderItem[];
  value: ChosenUnits | null;
  onChange: (units: ChosenUnits | null) => void;
  disabled: boolean;
  error?: string | undefined;
}) {
  const waiting = items.filter(({ toShip }) => toShip > 0);
  const count = waiting.reduce((sum, { toShip }) => sum + toShip, 0);
  if (count < 2) return null;
  if (units === null) {
    return (
      <p className="text-small">
        All {count} units go in this parcel.{" "}
        <TextButton
          disabled={disabled}
          onClick={() =>
            onChange(Object.fromEntries(waiting.map(({ productId, toShip }) => [productId, toShip])))
          }
        >
          Ship part of it
        </TextButton>
      </p>
    );
  }
  return (
    <fieldset className="grid gap-3">
      <legend className="text-small font-medium">In this parcel</legend>
      {waiting.map(({ productId, name, toShip }) => (
        <Select
          key={productId}
          label={name}
          name={`part-${productId}`}
          value={units[productId] ?? 0}
          disabled={disabled}
          error={error}
          onChange={(event) => onChange({ ...units, [productId]: Number(event.target.value) })}
        >
          {[...Array(toShip + 1).keys()].map((quantity) => (
            <option key={quantity} value={quantity}>
              {quantity === 0 ? "None: it follows later" : `${quantity} of ${toShip}`}
            </option>
          ))}
        </Select>
      ))}
      <TextButton className="justify-self-start" disabled={disabled} onClick={() => onChange(null)}>
        Ship all of it
      </TextButton>
    </fieldset>
  );
}
