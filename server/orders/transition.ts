import { and, eq, sql } from "drizzle-orm";
import { canTransition, type OrderStatus } from "../../domain/orders/order-status.ts";
import { type Placeholders, queryBuilder } from "../platform/database/compiled-statement.ts";
import type { Db } from "../platform/database/database.ts";
import { actingPerson, currentActor } from "../platform/http/actor.ts";
import { recordOrderId, runningRequestId } from "../platform/process/running-work.ts";
import { orderEvents, orders } from "./tables.ts";

export type Actor = "shopper" | "provider" | "owner" | "system";

type Transition = {
  orderId: string;
  from: OrderStatus;
  to: OrderStatus;
  actor: Actor;
  /** Panel user; the person making the current call by default. */
  personId?: string | null;
  note: string | null;
  now: Date;
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
 * Changes an order's status, which nothing else does: checks that the transition is allowed, updates the order if its status is
 * still `from`, and records the event. Returns false if the status is no longer `from`.
 */
export async function transitionOrder(db: Db, change: Transition): Promise<boolean> {
  recordOrderId(change.orderId);
  if (!canTransition(change.from, change.to)) {
    throw new Error(`An order cannot go from ${change.from} to ${change.to}`);
  }
  const update = db
    .update(orders)
    // The buyer's network is only needed while the order is pending.
    .set({ ...change.set, status: change.to, buyerNetwork: null })
    .where(and(eq(orders.id, change.orderId), eq(orders.status, change.from)))
    .returning({ id: orders.id });
  const { actor, personId, note } = eventAuthor(change);
  const { rowCount } = await db.execute(sql`
    with changed as ${update}
    insert into ${orderEvents} (order_id, at, from_status, to_status, actor, person_id, note, request_id)
    select id, ${change.now.toISOString()}, ${change.from}, ${change.to}, ${actor}, ${personId}::uuid, ${note},
      ${runningRequestId()}::uuid
    from changed`);
  return rowCount === 1;
}

/**
 * `transitionOrder` for the sale of a pending order, as parts of a statement that is compiled once: `changed` marks the order as
 * completed and returns its `id` and `visitor_id`; `entry` records the event. If `version` (`orderVersion`) is not null, nothing
 * happens if the order's row has changed since.
 */
export function completion({
  orderId,
  version,
  at,
  requestId,
}: Placeholders<ReturnType<typeof completionValues>>) {
  const isUnchanged = sql`(${version}::xid is null or ${orderVersion} = ${version}::xid)`;
  const changed = queryBuilder
    .update(orders)
    .set({ status: "completed", buyerNetwork: null, paidAt: sql`${at}::timestamptz` })
    .where(and(sql`${orders.id} = ${orderId}`, eq(orders.status, "pending"), isUnchanged))
    .returning({ id: orders.id, visitorId: orders.visitorId });
  const entry = sql`
    insert into ${orderEvents} (order_id, at, from_status, to_status, actor, note, request_id)
    select id, ${at}::timestamptz, 'pending', 'completed', 'provider', 'Paid', ${requestId}::uuid from changed returning 1`;
  return { changed, entry };
}

/** Version of an order's row, which changes whenever the row does. */
export const orderVersion = sql`orders.xmin`;

export function completionValues(order: { id: string; version: string | null }, now: Date) {
  recordOrderId(order.id);
  return { orderId: order.id, version: order.version, at: now, requestId: runningRequestId() };
}

type OrderEvent = {
  orderId: string;
  /** Null for the first event; by default the status does not change. */
  from?: OrderStatus | null;
  to: OrderStatus;
  actor: Actor;
  personId?: string | null;
  note: string | null;
  now: Date;
};

/** Query that adds an event to the order's history. */
export function recordOrderEvent(db: Db, event: OrderEvent) {
  return db.insert(orderEvents).values(orderEventValues(event));
}

/** Adds an event that does not change the order's status. */
export function recordOrderNote(
  db: Db,
  { id: orderId, status: to }: { id: string; status: OrderStatus },
  event: Pick<OrderEvent, "actor" | "note" | "now">,
) {
  return recordOrderEvent(db, { ...event, orderId, to });
}

/** The row of an event, for statements that are compiled once. */
export function orderEventValues(event: OrderEvent) {
  recordOrderId(event.orderId);
  return {
    orderId: event.orderId,
    requestId: runningRequestId(),
    at: event.now,
    fromStatus: event.from === undefined ? event.to : event.from,
    toStatus: event.to,
    ...eventAuthor(event),
  };
}

type EventAuthor = { actor: Actor; personId: string | null; note: string | null };

/** A panel user who acts as the buyer is recorded as the owner, with the reason in the note. */
function eventAuthor({
  actor,
  personId = actingPerson(),
  note,
}: Pick<Transition, "actor" | "personId" | "note">): EventAuthor {
  const buyerCallNote = currentActor()?.buyerCallNote;
  if (actor === "shopper" && buyerCallNote !== undefined) {
    return { actor: "owner", personId, note: note === null ? buyerCallNote : `${note}, ${buyerCallNote}` };
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
