import { and, asc, eq, inArray, lt } from "drizzle-orm";
import { formatCents } from "../../domain/money.ts";
import { orders } from "../orders/tables.ts";
import { orAbandon } from "./abandon.ts";
import { flagMissingOrder, raiseFlag } from "./flags.ts";
import { closeGivenBack, closeOver } from "./flags-over.ts";
import type { PaymentParts } from "./parts.ts";
import type { Intent } from "./provider.ts";
import { sendRefund } from "./send-refund.ts";
import { settleSession } from "./sessions.ts";
import { settlePayment } from "./settle.ts";
import { syncOrLeave } from "./sync-refunds.ts";
import { payments, refunds } from "./tables.ts";

/** How far back the provider is asked for payments that the shop may have missed. */
const lookBackMs = 3 * 24 * 60 * 60 * 1000;
/** An order this young is still being paid; its webhook is given the time to come. */
const graceMs = 60 * 1000;
/** A refund that takes longer is put before the owner. */
const refundPatienceMs = 24 * 60 * 60 * 1000;
const pendingBatchMax = 500;
const intentBatchMax = 100;

export type Reconciliation = { asked: number; moved: number; flagged: number; failed: number };

/**
 * Job: mends what webhooks missed, both ways. Every pending order and refund is asked about at the provider, and every
 * payment that succeeded there in the last 3 days is held against the orders here. Then the owner's matters are closed
 * whose cause is gone.
 */
export async function reconcile(parts: PaymentParts): Promise<Reconciliation> {
  const result: Reconciliation = { asked: 0, moved: 0, flagged: 0, failed: 0 };
  await askAboutPendingOrders(parts, result);
  await askAboutPendingRefunds(parts, result);
  const from = new Date(parts.now().getTime() - lookBackMs);
  let batch: Intent[] = [];
  for await (const intent of parts.provider.listSucceededIntents({ from })) {
    batch.push(intent);
    if (batch.length < intentBatchMax) continue;
    await settleMissed(parts, batch, result);
    batch = [];
  }
  await settleMissed(parts, batch, result);
  await closeOver(parts.db, { orderId: null, now: parts.now() });
  await closeGivenBack(parts);
  return result;
}

async function askAboutPendingOrders(parts: PaymentParts, result: Reconciliation): Promise<void> {
  const pending = await parts.db
    .select({ payment: payments })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(
      and(
        eq(orders.status, "pending"),
        inArray(payments.status, ["requires_payment", "processing"]),
        lt(orders.createdAt, new Date(parts.now().getTime() - graceMs)),
      ),
    )
    .limit(pendingBatchMax);
  for (const { payment } of pending) {
    const { intentId, sessionId } = payment;
    await attempt(parts, result, async () => {
      const asked = await orAbandon(parts, payment, null, async () => {
        if (sessionId !== null) return settleSession(parts, sessionId);
        if (intentId === null) return "none";
        return settlePayment(parts, await parts.provider.retrieveIntent(intentId));
      });
      return "answer" in asked ? asked.answer : asked.abandoned;
    });
  }
}

/** Those the provider does not have yet are sent again: their jobs may have been given up in a long outage. */
async function askAboutPendingRefunds(parts: PaymentParts, result: Reconciliation): Promise<void> {
  const before = (ms: number) => new Date(parts.now().getTime() - ms);
  const pending = await parts.db
    .select({ refund: refunds })
    .from(refunds)
    .innerJoin(payments, eq(payments.intentId, refunds.intentId))
    .where(and(eq(refunds.status, "pending"), lt(refunds.createdAt, before(graceMs))))
    .orderBy(asc(refunds.createdAt))
    .limit(pendingBatchMax);
  for (const { refund } of pending) {
    await attempt(parts, result, async () => {
      if (refund.providerRefundId !== null) return syncOrLeave(parts, refund.intentId);
      await sendRefund(parts, refund.id);
      return "sent";
    });
    if (refund.createdAt < before(refundPatienceMs)) await flagIfStillPending(parts, refund.id);
  }
}

async function flagIfStillPending(parts: PaymentParts, refundId: string): Promise<void> {
  await parts.db.transaction(async (tx) => {
    const [refund] = await tx
      .select()
      .from(refunds)
      .where(and(eq(refunds.id, refundId), eq(refunds.status, "pending")));
    if (!refund) return;
    await raiseFlag(tx, parts.announce, {
      kind: "refund_waiting",
      subject: refund.id,
      orderId: refund.orderId,
      message: `A refund of ${formatCents(refund.amountCents)} has been on its way for more than a day: the payment provider has not confirmed it`,
    });
  });
}

/** Payments booked as the provider has them are left out by one query; only the rest is settled one by one. */
async function settleMissed(parts: PaymentParts, batch: Intent[], result: Reconciliation): Promise<void> {
  if (batch.length === 0) return;
  const booked = await parts.db
    .select({ intentId: payments.intentId, refundedCents: orders.refundedCents })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
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
  for (const intent of batch) {
    if (refundedCents.get(intent.intentId) === intent.amountRefunded) continue;
    await attempt(parts, result, () => settleOrFlag(parts, intent));
  }
}

/** An order is written before its payment can be made, so one that is missing here is lost: the owner has to know. */
async function settleOrFlag(parts: PaymentParts, intent: Intent): Promise<string> {
  const outcome = await settlePayment(parts, intent);
  if (outcome !== "unknown_order") return outcome;
  await flagMissingOrder(parts, { intentId: intent.intentId, orderId: intent.orderId });
  return "flag";
}

async function attempt(
  parts: PaymentParts,
  result: Reconciliation,
  work: () => Promise<string>,
): Promise<void> {
  result.asked += 1;
  try {
    const outcome = await work();
    if (["complete", "cancel", "refund"].includes(outcome)) result.moved += 1;
    if (outcome === "flag") result.flagged += 1;
  } catch (error) {
    result.failed += 1;
    parts.log.warn({ err: error }, "a payment could not be reconciled; the next run tries again");
  }
}
