import { and, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import { orders } from "../../orders/tables.ts";
import { type ProviderEvent, UnknownPayment } from "../../payment-providers/provider.ts";
import { eventKind, eventTypes } from "../../payment-providers/providers.ts";
import { compiledStatement, queryBuilder } from "../../platform/database/compiled-statement.ts";
import type { Db } from "../../platform/database/database.ts";
import { batchRows } from "../../platform/database/in-batches.ts";
import { queueJobsForRows } from "../../platform/jobs/jobs.ts";
import { recordOrderId } from "../../platform/process/running-work.ts";
import { closePayment } from "../cancellation/close.ts";
import type { StoredEvent } from "../hooks.ts";
import { handlePaymentEventJob } from "../job-kinds.ts";
import { raiseMissingOrder } from "../missing-order.ts";
import { syncRefunds } from "../refunds/sync.ts";
import { countDecline } from "../settling/declines.ts";
import { storeSessionIntents } from "../settling/session-intent.ts";
import { settleSession } from "../settling/sessions.ts";
import {
  claimedOrderId,
  type EventOfSale,
  type SaleCandidate,
  saleCandidateSql,
  settlePayment,
} from "../settling/settle.ts";
import { type PaymentStatus, paymentEvents, payments } from "../tables.ts";

/** Maximum number of events that a process handles concurrently while the webhook waits; further events get jobs. */
const maxConcurrent = 4;
/** Longest time (ms) that the webhook waits for its event to be handled; after about 20 s without a response, Stripe retries. */
const handlingMs = 2_000;
let handlingCount = 0;

/**
 * Stores an event from the webhook and handles it immediately. When this returns, the webhook may respond with 200: an event that
 * could not be handled has been queued as a job, and `requeueLostEvents` queues events whose handling a crash has interrupted.
 * Idempotent, because the provider may deliver an event several times.
 */
export async function receiveEvent(ctx: ShopContext, event: ProviderEvent): Promise<void> {
  const at = ctx.now();
  const row = { ...event, chargeId: event.chargeId ?? null, receivedAt: at, deliveredAt: at };
  const [inserted] = await storeEvent(ctx.db, {
    event: row,
    intentId: event.intentId ?? event.objectId,
    isPayment: eventKind(event.type) === "payment_succeeded",
  });
  if (!inserted) return recordDelivery(ctx.db, event.id, at);
  if (handlingCount >= maxConcurrent) return enqueueEvents(ctx, [event.id]);
  handlingCount += 1;
  const handling = handleUnhandled(
    ctx,
    {
      ...inserted,
      event: { ...row, handledAt: null, outcome: null },
      paidAt: inserted.paidAt === null ? null : new Date(inserted.paidAt),
    },
    false,
  )
    .catch((error: unknown) => {
      ctx.log.warn(
        { err: error, event: event.id },
        "an event could not be handled at once; its job retries it",
      );
      return enqueueEvents(ctx, [event.id]);
    })
    .finally(() => {
      handlingCount -= 1;
    });
  const timeout = Promise.withResolvers<void>();
  const timer = setTimeout(timeout.resolve, handlingMs).unref();
  await Promise.race([handling, timeout.promise]);
  clearTimeout(timer);
}

type Stored = {
  paymentStatus: PaymentStatus | null;
  paidAt: string | null;
  orderId: string | null;
  saleCandidate: SaleCandidate | null;
};
type ToStore = { event: typeof paymentEvents.$inferInsert; intentId: string; isPayment: boolean };

/** Returns no row if the event is stored already. */
const storeEvent = compiledStatement<ToStore, Stored>(
  ({ event, intentId, isPayment }) => sql`
    with recorded as ${queryBuilder.insert(paymentEvents).values(event).onConflictDoNothing().returning({ id: paymentEvents.id })}
    select paying.status as "paymentStatus", paid.paid_at as "paidAt", paid.id as "orderId",
      case when ${isPayment}::boolean then (select to_json(plain) from (${saleCandidateSql(intentId)}) as plain) end as "saleCandidate"
    from recorded left join ${payments} as paying on paying.intent_id = ${intentId}
      left join ${orders} as paid on paid.id = paying.order_id`,
);

/** Age at which an unhandled event without a job is assumed to be lost in a crash; it may also still be in progress. */
const lostEventAgeMs = 5_000;

/** Queues jobs for events that the webhook delivered and a crash left unhandled. */
export async function requeueLostEvents(ctx: ShopContext): Promise<void> {
  const before = new Date(ctx.now().getTime() - lostEventAgeMs);
  const events = await ctx.db
    .select({ id: paymentEvents.id })
    .from(paymentEvents)
    .where(
      and(
        isNull(paymentEvents.handledAt),
        isNull(paymentEvents.outcome),
        lt(paymentEvents.deliveredAt, before),
      ),
    )
    .limit(batchRows);
  if (events.length > 0)
    await enqueueEvents(
      ctx,
      events.map(({ id }) => id),
    );
}

/** Queues a job for each of these events that is unhandled and has no job yet. */
export async function enqueueEvents({ db }: Pick<ShopContext, "db">, ids: string[]): Promise<void> {
  const isWaiting = and(
    inArray(paymentEvents.id, ids),
    isNull(paymentEvents.handledAt),
    isNull(paymentEvents.outcome),
  );
  const update = db
    .update(paymentEvents)
    .set({ outcome: "queued" })
    .where(isWaiting)
    .returning({ id: paymentEvents.id });
  const payloads = sql`select json_build_object('eventId', id) from queued`;
  await queueJobsForRows(db, handlePaymentEventJob, payloads, sql`with queued as ${update}`);
}

/**
 * Records the delivery of an event that was stored before from the provider's list. If the event is unhandled, queues a job.
 */
async function recordDelivery(db: Db, eventId: string, at: Date): Promise<void> {
  const { rowCount } = await db
    .update(paymentEvents)
    .set({ deliveredAt: at })
    .where(and(eq(paymentEvents.id, eventId), isNull(paymentEvents.deliveredAt)));
  if (rowCount === 1) await enqueueEvents({ db }, [eventId]);
}

/** Thrown if the event or its order is not visible yet, so that the job retries. */
class NotVisibleYet extends Error {
  override name = "NotVisibleYet";
}

/**
 * Job: handles a stored event. Only the id of the changed object is taken from the event; the object's state is read from the
 * provider, so that late, repeated and reordered events have the same effect. If an order is missing and `isLastTry` is true, an
 * issue is raised instead of a retry.
 */
export async function handleEvent(ctx: ShopContext, eventId: string, isLastTry: boolean): Promise<void> {
  const [row] = await ctx.db
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
  // An event is written together with its job: if it is missing, this server is a former primary that has not noticed the failover.
  if (!row && !isLastTry) throw new NotVisibleYet(`Event ${eventId} is not visible yet`);
  if (row && row.event.handledAt === null) await handleUnhandled(ctx, row, isLastTry);
}

/** An event with its payment and order. */
type EventRow = EventToHandle["payment"] & {
  event: StoredEvent;
  orderId: string | null;
  saleCandidate?: SaleCandidate | null;
};

async function handleUnhandled(
  ctx: ShopContext,
  { event, orderId, saleCandidate = null, ...payment }: EventRow,
  isLastTry: boolean,
): Promise<void> {
  if (orderId !== null) recordOrderId(orderId);
  /** Whether the sale's transaction has recorded the event, too, so that a crash leaves neither or both. Most events are sales. */
  let isRecorded = false;
  const ofSale = {
    id: event.id,
    order: saleCandidate,
    onRecorded: () => {
      isRecorded = true;
    },
  };
  let outcome = await handleByKind(ctx, { event, payment, ofSale }).catch((error: unknown) => {
    // The API keys were replaced after the event arrived. Expiry and reconciliation take care of its order.
    if (error instanceof UnknownPayment) return "unknown_payment";
    throw error;
  });
  if (outcome === "unknown_order") {
    if (!isLastTry) throw new NotVisibleYet(`Event ${event.id} is about an order that is not visible yet`);
    await raiseMissingOrder(ctx, { intentId: event.intentId ?? event.objectId, orderId: event.orderId });
    outcome = "issue";
  }
  if (!isRecorded) {
    const handled = { handledAt: ctx.now(), outcome };
    await ctx.db.update(paymentEvents).set(handled).where(eq(paymentEvents.id, event.id));
  }
  ctx.log.info({ event: event.id, type: event.type, outcome }, "payment event handled");
}

type EventToHandle = {
  event: StoredEvent;
  /** The event's payment, and when its order was paid. */
  payment: { paymentStatus: PaymentStatus | null; paidAt: Date | null };
  ofSale: EventOfSale;
};

async function handleByKind(ctx: ShopContext, { event, payment, ofSale }: EventToHandle): Promise<string> {
  const settled = await findSettled(ctx.db, event, payment);
  if (settled) {
    observeCompleted(ctx, event, settled.paidAt);
    return "known";
  }
  const kind = eventKind(event.type);
  for (const { events } of ctx.paymentHooks) {
    const handle = kind && events?.[kind];
    if (handle) return handle(ctx, event);
  }
  switch (kind) {
    case "payment_succeeded": {
      const outcome = await settleEventIntent(ctx, event, ofSale);
      if (outcome === "complete") observeCompleted(ctx, event, ctx.now());
      return outcome;
    }
    case "payment_processing":
    case "payment_cancelled":
      return settleEventIntent(ctx, event, ofSale);
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

/** Reports to the metrics the time from the provider's event to the order's completion, by this event or another check. */
function observeCompleted({ metrics }: ShopContext, { type, createdAt }: StoredEvent, at: Date | null): void {
  if (at === null || eventKind(type) !== "payment_succeeded") return;
  metrics.observeCompleted((at.getTime() - createdAt.getTime()) / 1_000);
}

/**
 * If the event's payment already has its final status in the database, so that no request to the provider is needed, returns when
 * its order was paid; otherwise undefined. Refunds and disputes have separate events.
 */
async function findSettled(
  db: Db,
  { type, objectId }: StoredEvent,
  { paymentStatus, paidAt }: EventToHandle["payment"],
): Promise<{ paidAt: Date | null } | undefined> {
  const kind = eventKind(type);
  const isSessionEvent = kind === "page_completed" || kind === "page_expired";
  if (!isSessionEvent && !kind?.startsWith("payment_")) return undefined;
  const finalStatuses: PaymentStatus[] =
    kind === "payment_cancelled" || kind === "page_expired" ? ["succeeded", "canceled"] : ["succeeded"];
  if (!isSessionEvent)
    return paymentStatus !== null && finalStatuses.includes(paymentStatus) ? { paidAt } : undefined;
  const [order] = await db
    .select({ paidAt: orders.paidAt })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(and(eq(payments.sessionId, objectId), inArray(payments.status, finalStatuses)))
    .limit(1);
  return order;
}

async function handleDecline(ctx: ShopContext, event: StoredEvent): Promise<string> {
  const { intentId } = event;
  if (intentId === null) return "ignored";
  const { orderId, isTooMany } = await countEventDecline(ctx, { ...event, intentId });
  return isTooMany ? closePayment(ctx, { intentId, orderId }) : settleEventIntent(ctx, event);
}

/** Counts declined cards in events that are handled together with a later event of the same payment. */
export async function countDeclines(ctx: ShopContext, eventIds: string[]): Promise<void> {
  if (eventIds.length === 0) return;
  const isDecline = and(
    inArray(paymentEvents.id, eventIds),
    inArray(paymentEvents.type, eventTypes("payment_declined")),
  );
  for (const event of await ctx.db.select().from(paymentEvents).where(isDecline)) {
    const { intentId } = event;
    if (intentId !== null) await countEventDecline(ctx, { ...event, intentId });
  }
}

async function countEventDecline(
  ctx: ShopContext,
  event: StoredEvent & { intentId: string },
): Promise<{ orderId: string | null; isTooMany: boolean }> {
  const { intentId } = event;
  const orderId = await ownOrderId(ctx.db, event);
  if (orderId !== null && (await findOrderId(ctx.db, intentId)) === null) {
    await storeSessionIntents(ctx, orderId);
  }
  const id = event.chargeId ?? event.id;
  const { isTooMany } = await countDecline(ctx, { id, intentId, at: event.createdAt });
  return { orderId, isTooMany };
}

/** Reads the event's intent from the provider and settles it, unless it belongs to another program. */
async function settleEventIntent(
  ctx: ShopContext,
  event: StoredEvent,
  ofSale: EventOfSale | null = null,
): Promise<string> {
  if (event.intentId === null) return "ignored";
  if (event.orderId === null && (await findOrderId(ctx.db, event.intentId)) === null) return "foreign";
  return settlePayment(ctx, await ctx.provider.retrieveIntent(event.intentId), ofSale);
}

/** Id of the shop's order that the event is about; null if there is none. */
async function ownOrderId(db: Db, event: StoredEvent): Promise<string | null> {
  const orderId = event.intentId === null ? null : await findOrderId(db, event.intentId);
  return orderId ?? claimedOrderId(event);
}

async function findOrderId(db: Db, intentId: string): Promise<string | null> {
  const [payment] = await db
    .select({ orderId: payments.orderId })
    .from(payments)
    .where(eq(payments.intentId, intentId));
  return payment?.orderId ?? null;
}
