import { and, eq } from "drizzle-orm";
import { canTransition, type OrderStatus } from "../../domain/order-status.ts";
import type { Db } from "../platform/database.ts";
import { orderEvents, orders } from "./tables.ts";

export type Actor = "shopper" | "provider" | "owner" | "system";

type Change = {
  orderId: string;
  from: OrderStatus;
  to: OrderStatus;
  actor: Actor;
  note: string | null;
  now: Date;
  /** Columns that change together with the state. */
  set?: Partial<
    Pick<
      typeof orders.$inferInsert,
      | "paidAt"
      | "refundedCents"
      | "shippedAt"
      | "deliveredAt"
      | "carrier"
      | "trackingNumber"
      | "idempotencyKey"
    >
  >;
};

/**
 * The only way an order changes state: checks the table of transitions, updates under the guard that nobody else was
 * faster, and records the change. Answers false when the order is no longer in `from`.
 */
export async function transitionOrder(db: Db, change: Change): Promise<boolean> {
  if (!canTransition(change.from, change.to)) {
    throw new Error(`An order cannot go from ${change.from} to ${change.to}`);
  }
  const { rowCount } = await db
    .update(orders)
    .set({ ...change.set, status: change.to })
    .where(and(eq(orders.id, change.orderId), eq(orders.status, change.from)));
  if (rowCount !== 1) return false;
  await recordOrderEvent(db, { ...change, from: change.from });
  return true;
}

/** Writes a line of the order's history; `from` is null for its beginning. */
export async function recordOrderEvent(
  db: Db,
  event: {
    orderId: string;
    from: OrderStatus | null;
    to: OrderStatus;
    actor: Actor;
    note: string | null;
    now: Date;
  },
): Promise<void> {
  await db.insert(orderEvents).values({
    orderId: event.orderId,
    at: event.now,
    fromStatus: event.from,
    toStatus: event.to,
    actor: event.actor,
    note: event.note,
  });
}
