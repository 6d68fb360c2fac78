import { and, eq, inArray, sql } from "drizzle-orm";
import { formatCents } from "../../../domain/shared/money.ts";
import type { ShopContext } from "../../context.ts";
import { raiseIssue } from "../../issues/issues.ts";
import { orders } from "../../orders/tables.ts";
import { type Intent, type Period, ProviderUnavailable } from "../../payment-providers/provider.ts";
import { forEachConcurrent } from "../../platform/concurrency.ts";
import { abandonIfUnknown } from "../cancellation/abandon.ts";
import { closeAllSettledIssues, closeRefundedIssues } from "../close-issues.ts";
import { moveCursor, readCursor } from "../events/read.ts";
import { raiseMissingOrder } from "../missing-order.ts";
import { refundedAtProvider } from "../refunds/refunds.ts";
import { sendRefund } from "../refunds/send.ts";
import { syncRefundsIfReachable } from "../refunds/sync.ts";
import { payments, refunds } from "../tables.ts";
import {
  pauseMs,
  pendingRefunds,
  processDue,
  type RunLimits,
  scheduleNextPaymentCheck,
  scheduleNextRefundCheck,
  waitingOrders,
} from "./due-payments.ts";
import { settleSession } from "./sessions.ts";
import { settlePayment } from "./settle.ts";

/** Look-back window for succeeded payments that the shop may have missed. */
const lookBackMs = 3 * 24 * 60 * 60 * 1000;
/** Payments more recent than this are listed in every run. */
const recentMs = 60 * 60 * 1000;
/** Time per run for listing older payments (ms), enough to list all of a small shop's. */
const olderBudgetMs = 10_000;
/** Number of pending orders checked per run. The event list already covers nearly all of them. */
const maxWaiting = 100;
/** First pause between checks of a pending order; the order's expiry ends it early. */
const waitingPauseMs = 60 * 60 * 1000;
/** Age at which a pending refund raises an issue. */
const refundOverdueMs = 24 * 60 * 60 * 1000;
/** Number of checks of a refund before the pauses begin to grow: about an hour of runs. */
const refundChecksBeforePauses = 12;
/** Time per run for checking refunds (ms). */
const refundBudgetMs = 30_000;
const maxIntentBatchSize = 100;
const settleConcurrency = 4;

/**
 * `moved`: orders completed, cancelled or refunded. `flagged`: issues raised. `fault`: an error that the next run would repeat;
 * errors that are retried after a pause are only counted in `failed`.
 */
type Reconciliation = { checked: number; moved: number; flagged: number; failed: number; fault?: unknown };

/**
 * Job: repairs what webhooks missed. Checks pending orders and refunds with growing pauses. Compares payments that succeeded at
 * the provider in the last 3 days with the orders: payments of the last hour in each run, older ones as time allows. Then closes
 * issues whose cause is gone. A failing step does not stop the other steps.
 */
export async function reconcile(
  ctx: ShopContext,
  { signal, olderMs = olderBudgetMs }: Pick<RunLimits, "signal"> & { olderMs?: number } = {},
): Promise<Reconciliation> {
  const result: Reconciliation = { checked: 0, moved: 0, flagged: 0, failed: 0 };
  const steps = [
    () => checkWaitingOrders(ctx, result, { maxItems: maxWaiting, ...(signal && { signal }) }),
    async () => {
      for (const { onReconcile } of ctx.paymentHooks) {
        const run = await onReconcile?.(ctx, signal);
        result.checked += run?.checked ?? 0;
        result.failed += run?.failed ?? 0;
        keepFault(result, run?.fault);
      }
    },
    () => checkPendingRefunds(ctx, result, { ms: refundBudgetMs, ...(signal && { signal }) }),
    () => settleListed(ctx, result, olderMs),
    () => closeAllSettledIssues(ctx.db, ctx.now()),
    () => closeRefundedIssues(ctx),
  ];
  for (const step of steps) {
    if (signal?.aborted) break;
    try {
      await step();
    } catch (error) {
      result.failed += 1;
      keepFault(result, error);
      ctx.log.warn({ err: error }, "part of the reconciliation failed; the next run retries it");
    }
  }
  return result;
}

async function checkWaitingOrders(
  ctx: ShopContext,
  result: Reconciliation,
  limits: RunLimits,
): Promise<void> {
  const run = await processDue(ctx, waitingOrders, limits, async ({ payment: due }) => {
    if (!due) return;
    const [row] = await ctx.db
      .select({ payment: payments, expiresAt: orders.expiresAt })
      .from(payments)
      .innerJoin(orders, eq(orders.id, payments.orderId))
      .where(eq(payments.id, due.id));
    if (!row) return;
    const { payment, expiresAt } = row;
    const { intentId, sessionId } = payment;
    // Stored before the call, so that a payment whose check fails is not the first one checked in the next run.
    const waitMs = waitingPauseMs * 2 ** Math.min(due.checks - 1, 10);
    const next = Math.min(expiresAt.getTime(), ctx.now().getTime() + waitMs);
    await scheduleNextPaymentCheck(ctx, due.id, new Date(next));
    const outcome = await abandonIfUnknown(ctx, payment, null, async () => {
      if (sessionId !== null) return settleSession(ctx, sessionId);
      if (intentId === null) return "none";
      return settlePayment(ctx, await ctx.provider.retrieveIntent(intentId));
    });
    count(result, "result" in outcome ? outcome.result : outcome.abandoned);
  });
  result.checked += run.checked;
  result.failed += run.failed;
}

/** Sends refunds that are unknown to the provider again, because a long outage may have used up the attempts of their jobs. */
async function checkPendingRefunds(
  ctx: ShopContext,
  result: Reconciliation,
  limits: RunLimits,
): Promise<void> {
  const run = await processDue(ctx, pendingRefunds, limits, async ({ refundId, checks }) => {
    const [refund] = await ctx.db.select().from(refunds).where(eq(refunds.id, refundId));
    if (!refund) return;
    const ageMs = ctx.now().getTime() - refund.createdAt.getTime();
    const pause =
      checks <= refundChecksBeforePauses
        ? 0
        : pauseMs(ctx, { checks: checks - refundChecksBeforePauses, cause: "failed" });
    await scheduleNextRefundCheck(ctx, refundId, new Date(ctx.now().getTime() + pause));
    try {
      if (refund.providerRefundId !== null) await syncRefundsIfReachable(ctx, refund.intentId);
      else await sendRefund(ctx, refundId);
    } finally {
      if (ageMs > refundOverdueMs) await raiseIfStillPending(ctx, refundId);
    }
  });
  result.checked += run.checked;
  result.failed += run.failed;
}

async function raiseIfStillPending(ctx: ShopContext, refundId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [refund] = await tx
      .select()
      .from(refunds)
      .where(and(eq(refunds.id, refundId), eq(refunds.status, "pending")));
    if (!refund) return;
    await raiseIssue(tx, {
      kind: "refund_waiting",
      subject: refund.id,
      orderId: refund.orderId,
      message: `A refund of ${formatCents(refund.amountCents)} has been on its way for more than a day: the payment provider has not confirmed it`,
    });
  });
}

/**
 * Settles the payments that the provider lists, newest first. Recent payments are listed in every run. The pass over older ones
 * stops when its time is over, and the next run continues it; when it is complete, it starts again. In a small shop, one run is
 * enough for a whole pass.
 */
async function settleListed(ctx: ShopContext, result: Reconciliation, olderMs: number): Promise<void> {
  const now = ctx.now().getTime();
  const { paymentsListedTo: listedTo } = await readCursor(ctx);
  const recent = new Date(now - recentMs);
  if (listedTo !== null) await settlePeriod(ctx, result, { from: recent });
  const from = new Date(now - lookBackMs);
  const period = listedTo === null ? { from } : { from, to: listedTo };
  const stoppedAt = await settlePeriod(ctx, result, period, performance.now() + olderMs);
  await moveCursor(ctx, { paymentsListedTo: stoppedAt });
}

/** Settles the payments of a period. If time runs out, returns where it stopped: payments created at or after that are settled. */
async function settlePeriod(
  ctx: ShopContext,
  result: Reconciliation,
  period: Period,
  until = Number.POSITIVE_INFINITY,
): Promise<Date | null> {
  let batch: Intent[] = [];
  for await (const intent of ctx.provider.listSucceededIntents(period)) {
    batch.push(intent);
    if (batch.length < maxIntentBatchSize) continue;
    await settleMissed(ctx, batch, result);
    batch = [];
    // More payments of this second may follow, and a period excludes its end, so the next period ends one second later.
    if (performance.now() > until) return new Date(intent.createdAt.getTime() + 1_000);
  }
  await settleMissed(ctx, batch, result);
  return null;
}

/** Settles the payments that are not booked, or whose booked refunds differ from the provider's. */
async function settleMissed(ctx: ShopContext, batch: Intent[], result: Reconciliation): Promise<void> {
  if (batch.length === 0) return;
  const ids = batch.map(({ intentId }) => intentId);
  const booked = await ctx.db
    .select({
      intentId: payments.intentId,
      refundedCents: sql<number>`${refundedAtProvider(sql`${payments.intentId}`)}`,
    })
    .from(payments)
    .where(and(eq(payments.status, "succeeded"), inArray(payments.intentId, ids)));
  const refundedCents = new Map(booked.map((payment) => [payment.intentId, payment.refundedCents]));
  const missedPayments = batch.filter(
    (intent) => refundedCents.get(intent.intentId) !== intent.amountRefunded,
  );
  await forEachConcurrent(missedPayments, settleConcurrency, async (intent) => {
    result.checked += 1;
    try {
      count(result, await settleOrRaise(ctx, intent));
    } catch (error) {
      result.failed += 1;
      keepFault(result, error);
      ctx.log.warn({ err: error }, "a payment could not be reconciled; a later run retries it");
    }
  });
}

/** Settles a payment. A missing order raises an issue: it must be lost, because orders are written before their payments. */
async function settleOrRaise(ctx: ShopContext, intent: Intent): Promise<string> {
  const outcome = await settlePayment(ctx, intent);
  if (outcome !== "unknown_order") return outcome;
  await raiseMissingOrder(ctx, { intentId: intent.intentId, orderId: intent.orderId });
  return "issue";
}

/** Keeps the first fault, but replaces an unavailable provider with a later fault of another kind. */
function keepFault(result: Reconciliation, fault: unknown): void {
  if (result.fault === undefined || result.fault instanceof ProviderUnavailable)
    result.fault = fault ?? result.fault;
}

function count(result: Reconciliation, outcome: string): void {
  if (["complete", "cancel", "refund"].includes(outcome)) result.moved += 1;
  if (outcome === "issue") result.flagged += 1;
}
