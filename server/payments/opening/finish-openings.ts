import { and, eq, lt, sql } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import { orderEdits } from "../../order-desk/tables.ts";
import { orders } from "../../orders/tables.ts";
import { ProviderFailed, ProviderRefused } from "../../payment-providers/provider.ts";
import type { Db } from "../../platform/database/database.ts";
import { isThisAccount } from "../other-account.ts";
import { payments } from "../tables.ts";
import {
  attemptMs,
  closeUnwanted,
  failOpening,
  finishOpening,
  isHolder,
  isOpening,
  type OpenedPayment,
  type Opening,
  postpone,
  takeOverOpening,
} from "./opening.ts";

/** Stripe keeps the response to an idempotency key for at least a day. */
const keyLifetime = sql`interval '23 hours'`;
/** Maximum number of openings per run. Each run begins with the openings that have waited longest. */
const maxFinished = 50;
/** Number of consecutive calls without a response after which the provider is considered unavailable. */
const maxFailedCalls = 3;

/**
 * Job: finishes openings whose caller crashed or got no response. Repeating the call with the same idempotency key returns the
 * payment of the first call. It is stored if its order or edit is still waiting, and otherwise cancelled.
 */
export async function finishOpenings(ctx: ShopContext): Promise<{ finished: number; failed: number }> {
  await expireStaleOpenings(ctx.db);
  const lapsedOpenings = await ctx.db
    .select({ order: orders, revision: payments.revision })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(and(isOpening, isThisAccount(ctx.provider), lt(payments.openingUntil, sql`now()`)))
    .orderBy(payments.openingUntil)
    .limit(maxFinished);
  let finished = 0;
  let failed = 0;
  let failedCalls = 0;
  for (const { order, revision } of lapsedOpenings) {
    if (failedCalls === maxFailedCalls) break;
    const opening = await takeOverOpening(ctx.db, { orderId: order.id, revision });
    if (!opening) continue;
    try {
      await finishOpening(ctx, order, opening, attemptMs);
      finished += 1;
      failedCalls = 0;
    } catch (error) {
      failed += 1;
      if (error instanceof ProviderRefused) {
        await failOpening(ctx, opening, error);
        continue;
      }
      // A `ProviderFailed` is not counted: the provider stores a failure and repeats it, but only for this idempotency key.
      if (!(error instanceof ProviderFailed)) failedCalls += 1;
      // If the provider's list fails, this opening is postponed, too, and the loop continues.
      else if (order.status !== "pending" && (await closeFailed(ctx, opening).catch(() => false))) continue;
      ctx.log.warn({ err: error, orderId: order.id }, "a payment could not be opened or closed yet");
      // The buyer of an order or edit that still waits may return at any moment and must not have to wait.
      const isAwaited = order.status === "pending" || (await isEditWaiting(ctx.db, opening));
      await postpone(ctx.db, opening, isAwaited ? sql`now()` : retryAt);
    }
  }
  return { finished, failed };
}

async function isEditWaiting(db: Db, { orderEditId }: Opening): Promise<boolean> {
  if (!orderEditId) return false;
  return (
    (await db.$count(orderEdits, and(eq(orderEdits.id, orderEditId), eq(orderEdits.status, "waiting")))) > 0
  );
}

/** Time after which the provider's list certainly contains a payment. */
const listedAfterMs = 60_000;

/**
 * Closes the payment of an ended order after the provider has failed. The provider repeats that failure for this idempotency key
 * for a day, so a payment that the failed call may have created is looked up in the provider's list. False while the list may be
 * incomplete.
 */
async function closeFailed(ctx: ShopContext, opening: Opening): Promise<boolean> {
  const { db, provider } = ctx;
  const rows = await db.select().from(payments).where(eq(payments.orderId, opening.orderId));
  const createdAt = rows.find(({ revision }) => revision === opening.revision)?.createdAt ?? new Date(0);
  const bookedIds = new Set(rows.flatMap(({ intentId, sessionId }) => [intentId, sessionId]));
  const from = new Date(createdAt.getTime() - listedAfterMs);
  const candidates = opening.hosted
    ? (await provider.listOrderSessions(opening.orderId, from))
        .filter(({ id }) => !bookedIds.has(id))
        .map((session): OpenedPayment => ({ kind: "session", session }))
    : (await provider.listOrderIntents(opening.orderId, from))
        .filter(({ intentId }) => !bookedIds.has(intentId))
        .map((intent): OpenedPayment => ({ kind: "intent", intent }));
  const [payment] = candidates;
  if (payment) {
    await closeUnwanted(ctx, opening, payment);
    return true;
  }
  if (Date.now() - createdAt.getTime() < listedAfterMs) return false;
  await db
    .update(payments)
    .set({ status: "canceled", failure: "unavailable" })
    .where(and(isHolder(opening), isOpening));
  return true;
}

const retryAt = sql`now() + least(30 * 2 ^ least(${payments.openingAttempts}, 10), 3600) * interval '1 second'`;

/** Ends openings whose idempotency key has expired. They cannot be paid, because no client has received their ids. */
async function expireStaleOpenings(db: Db): Promise<void> {
  await db
    .update(payments)
    .set({ status: "canceled", failure: "unavailable" })
    .where(and(isOpening, lt(payments.createdAt, sql`now() - ${keyLifetime}`)));
}
