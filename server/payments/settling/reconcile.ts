import { and, eq, inArray, sql } from "drizzle-orm";
import { formatCents } from "../../../domain/shared/money.ts";
import type { ShopContext } from "../../context.ts";
import { raiseIssue } from "../../issues/issues.ts";
import { orders } from "../../orders/tables.ts";
import type { Intent, Period } from "../../payment-providers/provider.ts";
import { forEachConcurrent } from "../../platform/concurrency.ts";
import { abandonIfUnknown } from "../cancellation/abandon.ts";
import { closeAllSettledIssues, closeRefundedIssues } from "../close-issues.ts";
import { cursorOf, moveCursor } from "../events/read.ts";
import { raiseMissingOrder } from "../missing-order.ts";
import { sendRefund } from "../refunds/send.ts";
import { syncOrLeave } from "../refunds/sync.ts";
import { payments, refunds } from "../tables.ts";
import {
  nextPaymentCheck,
  nextRefundCheck,
  pauseMs,
  pendingRefunds,
  processDue,
  type RunLimits,
  waitingOrders,
} from "./due.ts";
import { settleSession } from "./sessions.ts";
import { settlePayment } from "./settle.ts";

/** How far back the provider is asked for payments that the shop may have missed. */
const lookBackMs = 3 * 24 * 60 * 60 * 1000;
/** Payments this young are listed in every run. */
const recentMs = 60 * 60 * 1000;
/** How long one run goes on listing older ones (ms). In a small shop that is all of them. */
const olderBudgetMs = 10_000;
/** Orders that wait to be paid and are asked about in one run: nearly all that can be learnt so is in the lists, too. */
const waitingMost = 100;
/** After such a question an order is left alone for so long, or until its time is over. */
const waitingPauseMs = 60 * 60 * 1000;
/** A refund that takes longer is put before the owner. */
const refundPatienceMs = 24 * 60 * 60 * 1000;
/** Runs that ask about a refund one after the other, an hour of them, before pauses begin to grow. */
const refundHaste = 12;
/** How long one run goes on asking about refunds (ms). */
const refundBudgetMs = 30_000;
const intentBatchMax = 100;
const missedAtATime = 4;

export type Reconciliation = { asked: number; moved: number; flagged: number; failed: number };

/**
 * Job: mends what webhooks missed, both ways. Every payment that succeeded at the provider in the last 3 days is held
 * against the orders here: those of the last hour in each run, older ones as far as time allows, the next run going on.
 * Orders and refunds that wait are asked about with growing pauses. Then the owner's issues are closed whose cause is
 * gone. What fails does not keep the rest from being done.
 */
export async function reconcile(
  ctx: ShopContext,
  { signal, olderMs = olderBudgetMs }: Pick<RunLimits, "signal"> & { olderMs?: number } = {},
): Promise<Reconciliation> {
  const result: Reconciliation = { asked: 0, moved: 0, flagged: 0, failed: 0 };
  const steps = [
    () => askAboutWaitingOrders(ctx, result, { most: waitingMost, ...(signal && { signal }) }),
    async () => {
      for (const { onReconcile } of ctx.paymentHooks) {
        const run = await onReconcile?.(ctx, signal);
        result.asked += run?.looked ?? 0;
        result.failed += run?.failed ?? 0;
      }
    },
    () => askAboutPendingRefunds(ctx, result, { ms: refundBudgetMs, ...(signal && { signal }) }),
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
      ctx.log.warn({ err: error }, "part of the reconciliation failed; the next run retries it");
    }
  }
  return result;
}

async function askAboutWaitingOrders(
  ctx: ShopContext,
  result: Reconciliation,
  limits: RunLimits,
): Promise<void> {
  const run = await processDue(ctx, waitingOrders, limits, async ({ payment: due }) => {
    if (!due) return;
    const [open] = await ctx.db
      .select({ payment: payments, expiresAt: orders.expiresAt })
      .from(payments)
      .innerJoin(orders, eq(orders.id, payments.orderId))
      .where(eq(payments.id, due.id));
    if (!open) return;
    const { payment, expiresAt } = open;
    const { intentId, sessionId } = payment;
    // Before it is asked about: one that fails must not stand before the others in the next run.
    const waitMs = waitingPauseMs * 2 ** Math.min(due.checks - 1, 10);
    const next = Math.min(expiresAt.getTime(), ctx.now().getTime() + waitMs);
    await nextPaymentCheck(ctx, due.id, new Date(next));
    const asked = await abandonIfUnknown(ctx, payment, null, async () => {
      if (sessionId !== null) return settleSession(ctx, sessionId);
      if (intentId === null) return "none";
      return settlePayment(ctx, await ctx.provider.retrieveIntent(intentId));
    });
    count(result, "answer" in asked ? asked.answer : asked.abandoned);
  });
  result.asked += run.looked;
  result.failed += run.failed;
}

/** Those the provider does not have yet are sent again: their jobs may have been given up in a long outage. */
async function askAboutPendingRefunds(
  ctx: ShopContext,
  result: Reconciliation,
  limits: RunLimits,
): Promise<void> {
  const run = await processDue(ctx, pendingRefunds, limits, async ({ refundId, checks }) => {
    const [refund] = await ctx.db.select().from(refunds).where(eq(refunds.id, refundId));
    if (!refund) return;
    const ageMs = ctx.now().getTime() - refund.createdAt.getTime();
    const pause = checks <= refundHaste ? 0 : pauseMs(ctx, { checks: checks - refundHaste, why: "failed" });
    await nextRefundCheck(ctx, refundId, new Date(ctx.now().getTime() + pause));
    try {
      if (refund.providerRefundId !== null) await syncOrLeave(ctx, refund.intentId);
      else await sendRefund(ctx, refundId);
    } finally {
      if (ageMs > refundPatienceMs) await raiseIfStillPending(ctx, refundId);
    }
  });
  result.asked += run.looked;
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
 * The provider lists the newest first, so that a pass over older ones can stop anywhere and go on from there. It begins
 * anew once it has come to its end: a small shop's is one page, and one run.
 */
async function settleListed(ctx: ShopContext, result: Reconciliation, olderMs: number): Promise<void> {
  const now = ctx.now().getTime();
  const { paymentsListedTo: listedTo } = await cursorOf(ctx);
  const recent = new Date(now - recentMs);
  if (listedTo !== null) await settlePeriod(ctx, result, { from: recent });
  const from = new Date(now - lookBackMs);
  const period = listedTo === null ? { from } : { from, to: listedTo };
  const stoppedAt = await settlePeriod(ctx, result, period, performance.now() + olderMs);
  await moveCursor(ctx, { paymentsListedTo: stoppedAt });
}

/** Answers where it stopped for want of time: everything made at or after that was seen. Null: at the period's end. */
async function settlePeriod(
  ctx: ShopContext,
  result: Reconciliation,
  period: Period,
  until = Number.POSITIVE_INFINITY,
): Promise<Date | null> {
  let batch: Intent[] = [];
  for await (const intent of ctx.provider.listSucceededIntents(period)) {
    batch.push(intent);
    if (batch.length < intentBatchMax) continue;
    await settleMissed(ctx, batch, result);
    batch = [];
    // Others of the same second may come after it; periods end before their end.
    if (performance.now() > until) return new Date(intent.createdAt.getTime() + 1_000);
  }
  await settleMissed(ctx, batch, result);
  return null;
}

/** Payments booked as the provider has them are left out by one query; only the rest is settled one by one. */
async function settleMissed(ctx: ShopContext, batch: Intent[], result: Reconciliation): Promise<void> {
  if (batch.length === 0) return;
  const booked = await ctx.db
    .select({
      intentId: payments.intentId,
      refundedCents: sql<number>`coalesce((select sum(${refunds.amountCents})::int from ${refunds}
        where refunds.intent_id = payments.intent_id and refunds.status = 'succeeded'), 0)`,
    })
    .from(payments)
    .where(
      and(
        eq(payments.status, "succeeded"),
        inArray(
          payments.intentId,
          batch.map(({ intentId }) => intentId),
        ),
      ),
    );
  const refundedCents = new Map(booked.map((payment) => [payment.intentId, payment.refundedCents]));
  const missed = batch.filter((intent) => refundedCents.get(intent.intentId) !== intent.amountRefunded);
  await forEachConcurrent(missed, missedAtATime, async (intent) => {
    result.asked += 1;
    try {
      count(result, await settleOrRaise(ctx, intent));
    } catch (error) {
      result.failed += 1;
      ctx.log.warn({ err: error }, "a payment could not be reconciled; a later run retries it");
    }
  });
}

/** An order is written before its payment can be made, so one that is missing here is lost: the owner has to know. */
async function settleOrRaise(ctx: ShopContext, intent: Intent): Promise<string> {
  const outcome = await settlePayment(ctx, intent);
  if (outcome !== "unknown_order") return outcome;
  await raiseMissingOrder(ctx, { intentId: intent.intentId, orderId: intent.orderId });
  return "issue";
}

function count(result: Reconciliation, outcome: string): void {
  if (["complete", "cancel", "refund"].includes(outcome)) result.moved += 1;
  if (outcome === "issue") result.flagged += 1;
}
