import { formatCents } from "../../../domain/shared/money.ts";

/** "2 × $29.95, saving $4.95": quantity, unit price and the saving of a cheaper total. Prices in cents. */
export function LinePrice({ quantity, price, total }: { quantity: number; price: number; total: number }) {
  const saving = quantity * price - total;
  return (
    <span className="block text-small text-ink-muted tabular-nums">
      <span className="whitespace-nowrap">
        {quantity} × {formatCents(price)}
      </span>
      {saving > 0 && (
        <>
          , <span className="whitespace-nowrap">saving {formatCents(saving)}</span>
        </>
      )}
    </span>
  );
}
