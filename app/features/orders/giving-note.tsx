import type { Order } from "../../../domain/orders/order.ts";
import { type Giving, givingComputation, givingNote } from "../../../domain/sales/giving.ts";

/** What the order gives, for its receipt; nothing where nothing is given yet. `giving`: of all orders so far. */
export function GivingNote({ order, giving }: { order: Order; giving: Giving }) {
  const note = givingNote(order, giving);
  if (note === null) return null;
  return (
    <div className="grid gap-1.5 text-ink-muted">
      <p className="text-small">{note}</p>
      <p className="text-caption">{givingComputation}</p>
    </div>
  );
}
