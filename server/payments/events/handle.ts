import { and, eq, inArray, isNull, type SQLWrapper, sql } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import { orders } from "../../orders/tables.ts";
import { type ProviderEvent, UnknownPayment } from "../../payment-providers/provider.ts";
import { eventKind, eventTypes } from "../../payment-providers/providers.ts";
import type { Db } from "../../platform/database/database.ts";
import { queueJobsOfRows } from "../../platform/jobs/jobs.ts";
import { noteOrder } from "../../platform/process/running-work.ts";
import { closePayment } from "../cancellation/close.ts";
import type { StoredEvent } from "../hooks.ts";
import { workPaymentEvent } from "../job-kinds.ts";
import { raiseMissingOrder } from "../missing-order.ts";
import { syncRefunds } from "../refunds/sync.ts";
import { countDecline } from "../settling/declines.ts";
import { learnSessionIntents } from "../settling/session-intent.ts";
import { settleSession } from "../settling/sessions.ts";
import { claimedOrderId, settlePayment } from "../settling/settle.ts";
import { type PaymentStatus, paymentEvents, payments } from "../tables.ts";

/**
 * Writes down an event that the webhook brought, once, and enqueues the work on it in the same statement. After this
 * returns the provider may be told 200: nothing can be lost any more. A redelivered event changes nothing.
 */
export async function recordEvent(
  { db, now }: Pick<ShopContext, "db" | "now">,
  event: ProviderEvent,
): Promise<"recorded" | "known"> {
  const at = now();
  const insert = db
    .insert(paymentEvents)
    .values({ ...event, receivedAt: at, deliveredAt: at })
    .onConflictDoNothing()
    .returning({ id: paymentEvents.id });
  const work = sql`select json_build_object('eventId', id) from recorded`;
  const queued = await queueJobsOfRows(
    db,
    workPaymentEvent,
    work,
    (jobs) => sql`with recorded as ${insert} select from ${jobs}`,
  );
  if (queued > 0) return "recorded";
  await noteDelivery(db, event.id, at);
  return "known";
}

/** The provider's list had it before the webhook. Where it still waits to be worked, it does not wait any longer. */
async function noteDelivery(db: Db, eventId: string, at: Date): Promise<void> {
  const update = db
    .update(paymentEvents)
    .set({ deliveredAt: at })
    .where(and(eq(paymentEvents.id, eventId), isNull(paymentEvents.deliveredAt)))
    .returning({ id: paymentEvents.id, handledAt: paymentEvents.handledAt, outcome: paymentEvents.outcome });
  const work = sql`select json_build_object('eventId', id) from delivered where handled_at is null and outcome is null`;
  await queueJobsOfRows(
    db,
    workPaymentEvent,
    work,
    (jobs) => sql`with delivered as ${update} select from ${jobs}`,
  );
}

/** The event, or the order it is about, is not there (yet): thrown so that the job is tried again. */
class NotVisibleYet extends Error {
  override name = "NotVisibleYet";
}

/**
 * Job: what an event means. Events are hints only: which object changed. Its state is asked of the provider afresh, so
 * late, repeated and reordered events all come to the same. `isLastTry`: an order still missing is flagged, not retried.
 */
export async function handleEvent(ctx: ShopContext, eventId: string, isLastTry: boolean): Promise<void> {
  const [found] = await ctx.db
    .select({
      event: paymentEvents,
      paymentStatus: payments.status,
      paidAt: orders.paidAt,
      orderId: orders.id,
    })
    .from(paymentEvents)
    .leftJoin(
      payments,
      eq(payments.intentId, sql`coalesce(${paymentEvents.intentId}, ${paymentEvents.objectId})`),
    )
    .leftJoin(orders, eq(orders.id, payments.orderId))
    .where(eq(paymentEvents.id, eventId));
  // Written together with its job: a database without it is one that lost its place to another and is not told yet.
  if (!found && !isLastTry) throw new NotVisibleYet(`Event ${eventId} is not there yet`);
  if (!found || found.event.handledAt !== null) return;
  const { event, orderId, ...payment } = found;
  if (orderId !== null) noteOrder(orderId);
  const record = (db: Db, outcome: string) =>
    db.update(paymentEvents).set({ handledAt: ctx.now(), outcome }).where(eq(paymentEvents.id, event.id));
  /** Most events complete an order, and are recorded with it: a crash in between leaves neither. */
  let isRecorded = false;
  const along = (tx: Db) => {
    isRecorded = true;
    return [record(tx, "complete")];
  };
  let outcome = await outcomeOf(ctx, { event, payment, along }).catch((error: unknown) => {
    // The keys were changed since it came. Its order is seen to by expiry and reconciliation.
    if (error instanceof UnknownPayment) return "unknown_payment";
    throw error;
  });
  if (outcome === "unknown_order") {
    if (!isLastTry) throw new NotVisibleYet(`Event ${event.id} is about an order that is not there yet`);
    await raiseMissingOrder(ctx, { intentId: event.intentId ?? event.objectId, orderId: event.orderId });
    outcome = "issue";
  }
  if (!isRecorded) await record(ctx.db, outcome);
  ctx.log.info({ event: event.id, type: event.type, outcome }, "payment event handled");
}

type News = {
  event: StoredEvent;
  /** The one that it names, and when its order was paid. */
  payment: { paymentStatus: PaymentStatus | null; paidAt: Date | null };
  along: (tx: Db) => SQLWrapper[];
};

async function outcomeOf(ctx: ShopContext, { event, payment, along }: News): Promise<string> {
  const booked = await findBooked(ctx.db, event, payment);
  if (booked) {
    observeCompleted(ctx, event, booked.paidAt);
    return "known";
  }
  const kind = eventKind(event.type);
  for (const { events } of ctx.paymentHooks) {
    const handle = kind && events?.[kind];
    if (handle) return handle(ctx, event);
  }
  switch (kind) {
    case "payment_succeeded": {
      const outcome = await settleIntentOf(ctx, event, along);
      if (outcome === "complete") observeCompleted(ctx, event, ctx.now());
      return outcome;
    }
    case "payment_processing":
    case "payment_cancelled":
      return settleIntentOf(ctx, event, along);
    case "payment_declined":
      return handleDecline(ctx, event);
    case "page_completed":
    case "page_expired":
      return settleSession(ctx, event.objectId);
    case "refund_changed":
      return event.intentId === null ? "ignored" : syncRefunds(ctx, event.intentId);
    default:
      return "ignored";
  }
}

/** Of every order that an event says is paid, whoever heard of it first. */
function observeCompleted({ metrics }: ShopContext, { type, createdAt }: StoredEvent, at: Date | null): void {
  if (at === null || eventKind(type) !== "payment_succeeded") return;
  metrics.observeCompleted((at.getTime() - createdAt.getTime()) / 1_000);
}

/**
 * When the order was paid, if the payment the event is about has come to its end and is booked so: then the provider has
 * nothing new to say of it. What becomes of the money afterwards, refunds and disputes, are events of their own.
 */
async function findBooked(
  db: Db,
  { type, objectId }: StoredEvent,
  { paymentStatus, paidAt }: News["payment"],
): Promise<{ paidAt: Date | null } | undefined> {
  const kind = eventKind(type);
  const isOfSession = kind === "page_completed" || kind === "page_expired";
  if (!isOfSession && !kind?.startsWith("payment_")) return undefined;
  const ends: PaymentStatus[] =
    kind === "payment_cancelled" || kind === "page_expired" ? ["succeeded", "canceled"] : ["succeeded"];
  if (!isOfSession) return paymentStatus !== null && ends.includes(paymentStatus) ? { paidAt } : undefined;
  const [booked] = await db
    .select({ paidAt: orders.paidAt })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(and(eq(payments.sessionId, objectId), inArray(payments.status, ends)))
    .limit(1);
  return booked;
}

async function handleDecline(ctx: ShopContext, event: StoredEvent): Promise<string> {
  const { intentId } = event;
  if (intentId === null) return "ignored";
  const { orderId, isTooMany } = await countDeclineOf(ctx, { ...event, intentId });
  return isTooMany ? closePayment(ctx, { intentId, orderId }) : settleIntentOf(ctx, event);
}

/** Counts the declined cards among events that are not worked one by one, but with a later one of the same payment. */
export async function countDeclines(ctx: ShopContext, eventIds: string[]): Promise<void> {
  if (eventIds.length === 0) return;
  const isDecline = and(
    inArray(paymentEvents.id, eventIds),
    inArray(paymentEvents.type, eventTypes("payment_declined")),
  );
  for (const event of await ctx.db.select().from(paymentEvents).where(isDecline)) {
    const { intentId } = event;
    if (intentId !== null) await countDeclineOf(ctx, { ...event, intentId });
  }
}

async function countDeclineOf(
  ctx: ShopContext,
  event: StoredEvent & { intentId: string },
): Promise<{ orderId: string | null; isTooMany: boolean }> {
  const { intentId } = event;
  const orderId = await ownOrderId(ctx.db, event);
  if (orderId !== null && (await orderIdOf(ctx.db, intentId)) === null) {
    await learnSessionIntents(ctx, orderId);
  }
  const id = event.chargeId ?? event.id;
  const { isTooMany } = await countDecline(ctx, { id, intentId, at: event.createdAt });
  return { orderId, isTooMany };
}

/** Asked afresh only where it can be ours: another program's payments are none of our business. */
async function settleIntentOf(ctx: ShopContext, event: StoredEvent, along?: News["along"]): Promise<string> {
  if (event.intentId === null) return "ignored";
  if (event.orderId === null && (await orderIdOf(ctx.db, event.intentId)) === null) return "foreign";
  return settlePayment(ctx, await ctx.provider.retrieveIntent(event.intentId), along);
}

/** The event's order, where it is one of ours. */
async function ownOrderId(db: Db, event: StoredEvent): Promise<string | null> {
  const known = event.intentId === null ? null : await orderIdOf(db, event.intentId);
  return known ?? claimedOrderId(event);
}

async function orderIdOf(db: Db, intentId: string): Promise<string | null> {
  const [payment] = await db
    .select({ orderId: payments.orderId })
    .from(payments)
    .where(eq(payments.intentId, intentId));
  return payment?.orderId ?? null;
}
