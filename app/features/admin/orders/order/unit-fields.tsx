import { useRef } from "react";
import { sizeBeside } from "../../../../../domain/catalog/size-name.ts";
import type { AdminOrder, AdminOrderItem } from "../../../../../domain/orders/admin-order.ts";
import { type RefundSplit, shippingLeft } from "../../../../../domain/orders/line-refund.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { Options, Select } from "../../../../ui/field.tsx";
import { TextButton } from "../../../../ui/text-button.tsx";
import { callApi } from "../../../api.ts";
import { useApiResult } from "../../../use-api-result.ts";
import { MoneyField } from "../../kit/money-field.tsx";
import { SumRow } from "../../kit/rows/sum-row.tsx";
import { Switch } from "../../kit/switch.tsx";

/** Units of an order's lines, by product id. */
export type UnitsByProduct = Record<number, number>;

/** The lines of which at least one unit was chosen. */
export function unitLines(units: UnitsByProduct): { productId: number; quantity: number }[] {
  return Object.entries(units)
    .filter(([, quantity]) => quantity > 0)
    .map(([productId, quantity]) => ({ productId: Number(productId), quantity }));
}

/** Chooses one of the published products; renders nothing if all of them are in `without`. */
export function ProductSelect({
  without = [],
  value,
  onChoose,
  ...select
}: {
  label: string;
  name: string;
  without?: readonly number[];
  /** Id of the chosen product, or 0. */
  value: number;
  onChoose: (product: { id: number; name: string }) => void;
}) {
  const { body, problem, reload } = useApiResult("all", () => callApi("GET /api/products"));
  const control = useRef<HTMLSelectElement>(null);
  const products = body?.data.filter(({ id }) => !without.includes(id)) ?? [];
  if (body && products.length === 0) return null;
  return (
    <div>
      <Select
        {...select}
        ref={control}
        value={value || ""}
        onChange={({ target }) => {
          const product = products.find(({ id }) => id === Number(target.value));
          if (product) onChoose(product);
        }}
      >
        <option value="">{body || problem ? "Choose a product" : "Loading the products..."}</option>
        <Options
          of={products.map((product) => [
            product.id,
            [product.name, sizeBeside(product), formatCents(product.price)].filter(Boolean).join(", "),
          ])}
        />
      </Select>
      {problem && (
        <p role="alert" className="text-small text-danger">
          The products could not be loaded.{" "}
          <TextButton
            onClick={() => {
              // The focused button disappears once the products are loaded.
              control.current?.focus();
              void reload();
            }}
          >
            Try again
          </TextButton>
        </p>
      )}
    </div>
  );
}

type UnitsFieldProps<Units> = {
  items: AdminOrderItem[];
  value: Units;
  onChange: (units: Units) => void;
  error?: string | undefined;
};

/** Chooses the units of this parcel: all unshipped ones (`units` null) or some. Renders nothing for a single unit. */
export function ParcelUnits({
  items,
  value: units,
  onChange,
  error,
}: UnitsFieldProps<UnitsByProduct | null>) {
  const itemsToShip = items.filter(({ toShip }) => toShip > 0);
  const count = itemsToShip.reduce((sum, { toShip }) => sum + toShip, 0);
  if (count < 2) return null;
  if (units === null) {
    return (
      <p className="-my-2.5 text-small">
        All {count} units go in this parcel.{" "}
        <TextButton
          onClick={() =>
            onChange(Object.fromEntries(itemsToShip.map(({ productId, toShip }) => [productId, toShip])))
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
      {itemsToShip.map(({ productId, name, toShip }) => (
        <UnitsSelect
          key={productId}
          label={name}
          name={`part-${productId}`}
          value={units[productId] ?? 0}
          max={toShip}
          quantityLabel={(quantity) => (quantity === 0 ? "None: ships later" : `${quantity} of ${toShip}`)}
          error={error}
          onChange={(quantity) => onChange({ ...units, [productId]: quantity })}
        />
      ))}
      <TextButton className="justify-self-start" onClick={() => onChange(null)}>
        Ship all of it
      </TextButton>
    </fieldset>
  );
}

/** Units of each line to restock; lines that are fully restocked are left out. */
export function RestockFields({ items, value: units, onChange, error }: UnitsFieldProps<UnitsByProduct>) {
  const shippedItems = items.filter(({ quantity, returned }) => returned < quantity);
  if (shippedItems.length === 0) return null;
  return (
    <fieldset className="grid gap-3">
      <legend className="sr-only">Back on the shelf</legend>
      {shippedItems.map(({ productId, name, quantity, returned }) => (
        <UnitsSelect
          key={productId}
          label={name}
          name={`restock-${productId}`}
          className="max-w-60"
          value={units[productId] ?? 0}
          max={quantity - returned}
          quantityLabel={(count) => (count === 0 ? "None" : count === 1 ? "1 unit" : `${count} units`)}
          error={error}
          onChange={(count) => onChange({ ...units, [productId]: count })}
        />
      ))}
    </fieldset>
  );
}

/** Refund by line: units by product id, whether to restock them, and cents of the shipping. */
export type LinesDraft = {
  units: UnitsByProduct;
  restock: Record<number, boolean>;
  shipping: number;
};

/** Units to refund for each line, and shipping; the total below includes their tax. */
export function RefundLines({
  order: { items, refundable, fulfilment },
  value: draft,
  split,
  onChange,
  fields,
}: {
  order: Pick<AdminOrder, "items" | "refundable" | "fulfilment">;
  value: LinesDraft;
  /** The refund's amounts; null until they can be calculated. */
  split: RefundSplit | null;
  onChange: (draft: LinesDraft) => void;
  fields: Record<string, string>;
}) {
  const maxShipping = shippingLeft(refundable);
  const { taxIncluded } = refundable;
  const taxSuffix = taxIncluded ? ` before ${taxIncluded}` : "";
  return (
    <>
      {refundable.lines.some(({ units }) => units > 0) && (
        <fieldset className="grid min-w-0 gap-3">
          <legend className="text-small font-medium">Units to refund</legend>
          {items.map(({ productId, name, quantity, returned }) => {
            const refundableUnits = refundable.lines.find((line) => line.productId === productId)?.units ?? 0;
            if (refundableUnits === 0) return null;
            const units = draft.units[productId] ?? 0;
            return (
              <fieldset key={productId} className="grid min-w-0 gap-1">
                <legend className="sr-only">{name}</legend>
                <UnitsSelect
                  label={name}
                  name={`refund-units-${productId}`}
                  className="max-w-56"
                  value={units}
                  max={refundableUnits}
                  quantityLabel={(count) => (count === 0 ? "None" : `${count} of ${refundableUnits}`)}
                  onChange={(count) => onChange({ ...draft, units: { ...draft.units, [productId]: count } })}
                />
                {units > 0 && units <= quantity - returned && (
                  <Switch
                    name={`refund-back-${productId}`}
                    label={fulfilment === null ? "Take out of the order" : "Back on the shelf"}
                    hint={
                      fulfilment === null
                        ? "Removed from the packing slip and put back in stock. Otherwise it still ships."
                        : undefined
                    }
                    checked={draft.restock[productId] ?? false}
                    onChange={(isRestocked) =>
                      onChange({ ...draft, restock: { ...draft.restock, [productId]: isRestocked } })
                    }
                  />
                )}
              </fieldset>
            );
          })}
        </fieldset>
      )}
      {maxShipping > 0 && (
        <div className="flex flex-wrap items-end gap-x-4">
          <MoneyField
            name="refund-shipping"
            label={`Shipping (up to ${formatCents(maxShipping)})`}
            className="w-full max-w-56"
            value={draft.shipping}
            maxCents={maxShipping}
            error={fields.shipping}
            onChange={(shipping) => onChange({ ...draft, shipping })}
          />
          {draft.shipping !== maxShipping && (
            <TextButton onClick={() => onChange({ ...draft, shipping: maxShipping })}>All of it</TextButton>
          )}
        </div>
      )}
      {split && split.amount > 0 && (
        <dl className="grid max-w-56 gap-1 text-ui tabular-nums">
          {split.goods > 0 && <SumRow name={`Goods${taxSuffix}`} cents={split.goods} />}
          {split.shipping > 0 && <SumRow name={`Shipping${taxSuffix}`} cents={split.shipping} />}
          {split.tax > 0 && <SumRow name={taxIncluded ?? "Tax"} cents={split.tax} />}
        </dl>
      )}
      {fields.items && <p className="text-caption font-medium text-danger">{fields.items}</p>}
    </>
  );
}

/** Selects a number of units from `min` to `max`; `quantityLabel` returns the label of each option. */
export function UnitsSelect({
  min = 0,
  max,
  quantityLabel = (quantity) => (quantity === 0 ? "None" : String(quantity)),
  onChange,
  ...select
}: {
  label: string;
  name: string;
  value: number;
  min?: number;
  max: number;
  quantityLabel?: (quantity: number) => string;
  error?: string | undefined;
  className?: string;
  onChange: (quantity: number) => void;
}) {
  return (
    <Select {...select} onChange={(event) => onChange(Number(event.target.value))}>
      <Options
        of={Array.from({ length: max - min + 1 }, (_, index) => [min + index, quantityLabel(min + index)])}
      />
    </Select>
  );
}
