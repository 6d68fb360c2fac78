import { and, eq, type SQLWrapper, sql } from "drizzle-orm";
import { canTransition, type OrderStatus } from "../../domain/orders/order-status.ts";
import type { Db } from "../platform/database/database.ts";
import { actingPerson, whoActs } from "../platform/http/acting-person.ts";
import { noteOrder, runningRequestId } from "../platform/process/running-work.ts";
import { orderEvents, orders } from "./tables.ts";

export type Actor = "shopper" | "provider" | "owner" | "system";

type Change = {
  orderId: string;
  from: OrderStatus;
  to: OrderStatus;
  actor: Actor;
  /** Who of the owner's side; missing: whoever makes the call that runs. */
  personId?: string | null;
  note: string | null;
  now: Date;
  /** Changes that belong to it, as queries of Drizzle: they go in the same statement, which spares trips to the database. */
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
 * The only way an order changes state: checks the table of transitions, updates under the guard that nobody else was
 * faster, and records the change. Answers false when the order is no longer in `from`.
 */
export async function transitionOrder(db: Db, change: Change): Promise<boolean> {
  noteOrder(change.orderId);
  if (!canTransition(change.from, change.to)) {
    throw new Error(`An order cannot go from ${change.from} to ${change.to}`);
  }
  const update = db
    .update(orders)
    // Where the buyer called from counts while an order waits for payment, and is forgotten then.
    .set({ ...change.set, status: change.to, buyerNetwork: null })
    .where(and(eq(orders.id, change.orderId), eq(orders.status, change.from)))
    .returning({ id: orders.id });
  const along = (change.along ?? []).map(
    (query, index) => sql`, ${sql.identifier(`along_${index}`)} as ${query}`,
  );
  const { actor, personId, note } = doneBy(change);
  const { rowCount } = await db.execute(sql`
    with changed as ${update}${sql.join(along)}
    insert into ${orderEvents} (order_id, at, from_status, to_status, actor, person_id, note, request_id)
    select id, ${change.now.toISOString()}, ${change.from}, ${change.to}, ${actor}, ${personId}::uuid, ${note},
      ${runningRequestId()}::uuid
    from changed`);
  return rowCount === 1;
}

/** Writes a line of the order's history, when awaited or as part of a statement; `from` is null for its beginning. */
export function recordOrderEvent(
  db: Db,
  event: {
    orderId: string;
    from: OrderStatus | null;
    to: OrderStatus;
    actor: Actor;
    /** As of a transition. */
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
    ...doneBy(event),
  });
}

type Doing = { actor: Actor; personId: string | null; note: string | null };

/** Whose doing it is: of somebody in the panel who makes the buyer's call, theirs, and the note says why. */
function doneBy({
  actor,
  personId = actingPerson(),
  note,
}: Pick<Change, "actor" | "personId" | "note">): Doing {
  const asBuyer = whoActs()?.asBuyer;
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
