import { and, eq, type SQLWrapper, sql } from "drizzle-orm";
import { canTransition, type OrderStatus } from "../../domain/orders/order-status.ts";
import type { Db } from "../platform/database/database.ts";
import { actingPerson, currentActor } from "../platform/http/acting-person.ts";
import { noteOrder, runningRequestId } from "../platform/process/running-work.ts";
import { orderEvents, orders } from "./tables.ts";

export type Actor = "shopper" | "provider" | "owner" | "system";

type Transition = {
  orderId: string;
  from: OrderStatus;
  to: OrderStatus;
  actor: Actor;
  /** Person of the panel; missing: the person making the current call. */
  personId?: string | null;
  note: string | null;
  now: Date;
  /** Queries of Drizzle to run in the same statement, which spares round trips. */
  along?: readonly SQLWrapper[];
  /** Columns that change together with the state. */
  set?: Partial<
    Pick<
      typeof orders.$inferInsert,
      | "paidAt"
      | "refundedCents"
      | "chargedBackCents"
      | "shippedAt"
      | "deliveredAt"
      | "carrier"
      | "trackingNumber"
      | "idempotencyKey"
    >
  >;
};

/**
 * The only way to change an order's status: checks the table of transitions, updates if the order is still in `from`, and
 * records the event. Returns false if it has left `from`.
 */
export async function transitionOrder(db: Db, change: Transition): Promise<boolean> {
  noteOrder(change.orderId);
  if (!canTransition(change.from, change.to)) {
    throw new Error(`An order cannot go from ${change.from} to ${change.to}`);
  }
  const update = db
    .update(orders)
    // The buyer's network is only needed while the order is pending.
    .set({ ...change.set, status: change.to, buyerNetwork: null })
    .where(and(eq(orders.id, change.orderId), eq(orders.status, change.from)))
    .returning({ id: orders.id });
  const along = (change.along ?? []).map(
    (query, index) => sql`, ${sql.identifier(`along_${index}`)} as ${query}`,
  );
  const { actor, personId, note } = eventAuthor(change);
  const { rowCount } = await db.execute(sql`
    with changed as ${update}${sql.join(along)}
    insert into ${orderEvents} (order_id, at, from_status, to_status, actor, person_id, note, request_id)
    select id, ${change.now.toISOString()}, ${change.from}, ${change.to}, ${actor}, ${personId}::uuid, ${note},
      ${runningRequestId()}::uuid
    from changed`);
  return rowCount === 1;
}

/** Query that adds an event to the order's history; `from` is null for the first. */
export function recordOrderEvent(
  db: Db,
  event: {
    orderId: string;
    from: OrderStatus | null;
    to: OrderStatus;
    actor: Actor;
    personId?: string | null;
    note: string | null;
    now: Date;
  },
) {
  noteOrder(event.orderId);
  return db.insert(orderEvents).values({
    orderId: event.orderId,
    requestId: runningRequestId(),
    at: event.now,
    fromStatus: event.from,
    toStatus: event.to,
    ...eventAuthor(event),
  });
}

type EventAuthor = { actor: Actor; personId: string | null; note: string | null };

/** A person of the panel who acts as the buyer is recorded as the owner, with the reason in the note. */
function eventAuthor({
  actor,
  personId = actingPerson(),
  note,
}: Pick<Transition, "actor" | "personId" | "note">): EventAuthor {
  const asBuyer = currentActor()?.asBuyer;
  if (actor === "shopper" && asBuyer !== undefined) {
    return { actor: "owner", personId, note: note === null ? asBuyer : `${note}, ${asBuyer}` };
  }
  return { actor, personId: actor === "owner" ? personId : null, note };
}

/** Whether an order was ever paid in full and its units sold. */
export async function hasBeenCompleted(tx: Db, orderId: string): Promise<boolean> {
  const [event] = await tx
    .select({ id: orderEvents.id })
    .from(orderEvents)
    .where(and(eq(orderEvents.orderId, orderId), eq(orderEvents.toStatus, "completed")))
    .limit(1);
  return event !== undefined;
}
