import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { type RefundSplit, shippingLeft } from "../../../../../domain/orders/line-refund.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { Select } from "../../../../ui/select.tsx";
import { TextButton } from "../../../../ui/text-button.tsx";
import { MoneyField } from "../../kit/money-field.tsx";
import { Switch } from "../../kit/switch.tsx";

/** Refund by line: units by product id, whether they were returned, and cents of the shipping. */
export type LinesDraft = {
  units: Record<number, number>;
  back: Record<number, boolean>;
  shipping: number;
};

export const noLines: LinesDraft = { units: {}, back: {}, shipping: 0 };

/** Units to refund for each line, and shipping; the total below includes their tax. */
export function RefundLines({
  order: { items, refundable, fulfilment },
  value: draft,
  split,
  onChange,
  disabled,
  fields,
}: {
  order: Pick<AdminOrder, "items" | "refundable" | "fulfilment">;
  value: LinesDraft;
  /** The refund's total; null: not known yet. */
  split: RefundSplit | null;
  onChange: (draft: LinesDraft) => void;
  disabled: boolean;
  fields: Record<string, string>;
}) {
  const open = items.flatMap((item) => {
    const left = refundable.lines.find(({ productId }) => productId === item.productId)?.units ?? 0;
    return left === 0 ? [] : [{ ...item, left }];
  });
  const shippingMax = shippingLeft(refundable);
  const { taxIncluded } = refundable;
  const before = taxIncluded ? ` before ${taxIncluded}` : "";
  return (
    <>
      {open.map(({ productId, name, left, quantity, returned }) => {
        const units = draft.units[productId] ?? 0;
        return (
          <fieldset key={productId} className="grid min-w-0 gap-1">
            <legend className="sr-only">{name}</legend>
            <Select
              label={name}
              name={`refund-units-${productId}`}
              className="max-w-60"
              value={units}
              disabled={disabled}
              onChange={(event) =>
                onChange({ ...draft, units: { ...draft.units, [productId]: Number(event.target.value) } })
              }
            >
              {[...Array(left + 1).keys()].map((count) => (
                <option key={count} value={count}>
                  {count === 0 ? "None" : `${count} of ${left}`}
                </option>
              ))}
            </Select>
            {units > 0 && units <= quantity - returned && (
              <Switch
                name={`refund-back-${productId}`}
                label={fulfilment === null ? "Take out of the order" : "Back on the shelf"}
                hint={
                  fulfilment === null
                    ? "Off the packing slip and back on the shelf. Else it still ships."
                    : undefined
                }
                checked={draft.back[productId] ?? false}
                disabled={disabled}
                onChange={(isBack) => onChange({ ...draft, back: { ...draft.back, [productId]: isBack } })}
              />
            )}
          </fieldset>
        );
      })}
      {shippingMax > 0 && (
        <div className="grid justify-items-start gap-1">
          <MoneyField
            name="refund-shipping"
            label={`Shipping (up to ${formatCents(shippingMax)})`}
            className="max-w-60"
            value={draft.shipping}
            maxCents={shippingMax}
            disabled={disabled}
            error={fields.shipping}
            onChange={(shipping) => onChange({ ...draft, shipping })}
          />
          {draft.shipping !== shippingMax && (
            <TextButton disabled={disabled} onClick={() => onChange({ ...draft, shipping: shippingMax })}>
              All of it
            </TextButton>
          )}
        </div>
      )}
      {split && split.amount > 0 && (
        <dl className="grid gap-1 text-ui tabular-nums">
          <Part name={`Goods${before}`} cents={split.goods} />
          <Part name={`Shipping${before}`} cents={split.shipping} />
          <Part name={taxIncluded ?? "Tax"} cents={split.tax} />
        </dl>
      )}
      {fields.items && <p className="text-caption font-medium text-danger">{fields.items}</p>}
    </>
  );
}

function Part({ name, cents }: { name: string; cents: number }) {
  if (cents === 0) return null;
  return (
    <div className="flex max-w-60 justify-between gap-4">
      <dt>{name}</dt>
      <dd>{formatCents(cents)}</dd>
    </div>
  );
}
