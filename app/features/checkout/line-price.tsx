import { formatCents } from "../../../domain/shared/money.ts";

/** "2 × $29.95, saving $4.95": how a line comes to its total, also where it costs less than its units. Cents. */
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
