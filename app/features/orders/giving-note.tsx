import { givingComputation, givingNote } from "../../../domain/giving.ts";
import type { Order } from "../../../domain/order.ts";

/** What the order gives, for its receipt; nothing where nothing is given yet. `donatedCents`: of all orders so far. */
export function GivingNote({ order, donatedCents }: { order: Order; donatedCents: number }) {
  const note = givingNote(order, donatedCents);
  if (note === null) return null;
  return (
    <p className="text-small text-ink-muted">
      {note} {givingComputation}
    </p>
  );
}
