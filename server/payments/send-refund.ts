import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { formatCents } from "../../domain/money.ts";
import { lockOrder } from "../orders/lifecycle.ts";
import { addJob } from "../platform/jobs.ts";
import { raiseFlag } from "./flags.ts";
import { closeOver } from "./flags-over.ts";
import { sendRefundJob, sendRefundKey } from "./job-kinds.ts";
import type { PaymentParts } from "./parts.ts";
import { ProviderFailed, ProviderRefused } from "./provider.ts";
import { refundedOrPending, writeRefund } from "./refunds.ts";
import { syncRefunds } from "./sync-refunds.ts";
import { payments, refunds } from "./tables.ts";

type RefundRow = typeof refunds.$inferSelect;

/** How long an owner waits to read how a refund went, before it is said to be on its way. */
const patienceMs = 8_000;

/**
 * Job: hands a written refund to the provider. Safe to repeat: it looks first whether the provider has it already, and
 * asks for it under one idempotency key. Throws where the provider is away.
 */
export async function sendRefund(parts: PaymentParts, refundId: string): Promise<void> {
  const refund = await findUnsent(parts, refundId);
  if (!refund) return;
  try {
    await syncRefunds(parts, refund.intentId);
    if (!(await findUnsent(parts, refundId))) return;
    await askForRefund(parts, refund);
    await syncRefunds(parts, refund.intentId);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    await bookRefusal(parts, refund, error.message);
  }
}

/** The same at once, for somebody who waits. Never throws: what does not come to its end here is left to the job. */
export async function sendRefundNow(parts: PaymentParts, refundId: string): Promise<void> {
  const sending = sendRefund(parts, refundId).catch(async (error: unknown) => {
    parts.log.warn({ err: error, refundId }, "a refund could not be sent yet; its job goes on trying");
    await addJob(parts.db, sendRefundJob, { refundId }, { key: sendRefundKey(refundId) });
  });
  const guarded = sending.catch((error: unknown) => {
    parts.log.error({ err: error, refundId }, "a refund waits for its job");
  });
  await Promise.race([guarded, wait(patienceMs, undefined, { ref: false })]);
}

async function findUnsent({ db }: PaymentParts, refundId: string): Promise<RefundRow | null> {
  const [refund] = await db
    .select()
    .from(refunds)
    .where(and(eq(refunds.id, refundId), eq(refunds.status, "pending"), isNull(refunds.providerRefundId)));
  return refund ?? null;
}

/**
 * Under the refund's own key, so that an answer which was lost brings back the same refund. A provider that failed on its
 * side keeps that answer under the key for a day; a new key is used only where the provider itself could not carry out
 * both.
 */
async function askForRefund(parts: PaymentParts, refund: RefundRow): Promise<void> {
  const { id: refundId, intentId, amountCents: amount } = refund;
  const ask = (idempotencyKey: string) =>
    parts.provider.createRefund({ intentId, amount, idempotencyKey, refundId });
  try {
    await ask(`refund-${refundId}`);
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error;
    await syncRefunds(parts, intentId);
    if (!(await findUnsent(parts, refundId))) return;
    if (!(await canOnlyBeGivenOnce(parts, refund))) throw error;
    await ask(randomUUID());
  }
}

/** Whether twice the amount is more than what the provider still holds: then it refuses a second one. */
async function canOnlyBeGivenOnce({ db }: PaymentParts, refund: RefundRow): Promise<boolean> {
  const ofIntent = eq(refunds.intentId, refund.intentId);
  const [payment] = await db
    .select({ amountCents: payments.amountCents })
    .from(payments)
    .where(eq(payments.intentId, refund.intentId));
  const [given] = await db
    .select({ cents: sql<number>`coalesce(sum(${refunds.amountCents}), 0)::int` })
    .from(refunds)
    .where(
      and(ofIntent, isNotNull(refunds.providerRefundId), inArray(refunds.status, ["pending", "succeeded"])),
    );
  return payment !== undefined && 2 * refund.amountCents > payment.amountCents - (given?.cents ?? 0);
}

/** A called-off order's buyer gets what is left all the same; every other refusal is the owner's to look at. */
async function bookRefusal(parts: PaymentParts, refund: RefundRow, message: string): Promise<void> {
  // First what was given back at the provider meanwhile: that may be why.
  await syncRefunds(parts, refund.intentId).catch((error: unknown) => {
    if (!(error instanceof ProviderRefused)) throw error;
  });
  const { orderId, intentId, amountCents, reason } = refund;
  await parts.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    const { rowCount } = await tx
      .update(refunds)
      .set({ status: "failed", failure: message })
      .where(and(eq(refunds.id, refund.id), isNull(refunds.providerRefundId), eq(refunds.status, "pending")));
    if (rowCount === 0) return;
    await closeOver(tx, { orderId, now: parts.now() });
    if (order && order.calledOffAt !== null) {
      const leftCents = order.totalCents - (await refundedOrPending(tx, intentId));
      if (leftCents <= 0) return;
      if (leftCents < amountCents) {
        await writeRefund(tx, { orderId, intentId, amountCents: leftCents, reason });
        return;
      }
    }
    await raiseFlag(tx, parts.announce, {
      kind: "refund_refused",
      subject: refund.id,
      orderId,
      message: `The payment provider refused a refund of ${formatCents(amountCents)}: ${message}`,
    });
  });
}
