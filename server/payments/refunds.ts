import { randomUUID } from "node:crypto";
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { bookRefunds, type LockedOrder, lockOrder, notePayment } from "../orders/lifecycle.ts";
import type { Db } from "../platform/database.ts";
import { addJob } from "../platform/jobs.ts";
import { raiseFlag } from "./flags.ts";
import { sendRefundJob } from "./job-kinds.ts";
import type { PaymentParts } from "./parts.ts";
import { type Intent, type ProviderRefund, ProviderRefused } from "./provider.ts";
import { payments, refunds } from "./tables.ts";

export type RefundResult =
  | { ok: true; refundId: string; amountCents: number }
  | { ok: false; reason: "unknown_order" | "not_paid" | "too_much"; refundableCents?: number };

/**
 * Asks for money to be given back. The request is written first and sent by a job until the provider has it, so that a
 * crash or an outage loses nothing and a repeat gives nothing twice. Never more than was paid, pending ones counted.
 */
export async function requestRefund(parts: PaymentParts, input: RefundRequest): Promise<RefundResult> {
  return parts.db.transaction(async (tx) => {
    const order = await lockOrder(tx, input.orderId);
    return order ? refundLocked(tx, input) : { ok: false, reason: "unknown_order" };
  });
}

type RefundRequest = {
  orderId: string;
  /** Null: all that is left. */
  amountCents: number | null;
  reason: string | null;
};

/** The same inside the caller's transaction, which holds the order's lock. */
export async function refundLocked(tx: Db, input: RefundRequest): Promise<RefundResult> {
  const [payment] = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, input.orderId), eq(payments.status, "succeeded")));
  if (!payment?.intentId) return { ok: false, reason: "not_paid" };
  const { intentId } = payment;
  const refundableCents = payment.amountCents - (await refundedOrPending(tx, intentId));
  const amountCents = input.amountCents ?? refundableCents;
  if (amountCents <= 0 || amountCents > refundableCents)
    return { ok: false, reason: "too_much", refundableCents };
  const { orderId, reason } = input;
  const refundId = await writeRefund(tx, { orderId, intentId, amountCents, reason });
  return { ok: true, refundId, amountCents };
}

/** Gives a whole payment back that cannot be honoured, and tells the owner. Inside the caller's transaction. */
export async function giveBack(
  tx: Db,
  parts: PaymentParts,
  { order, intent, reason }: { order: LockedOrder; intent: Intent; reason: string },
): Promise<void> {
  await notePayment(tx, order.id, parts.now());
  await writeRefund(tx, {
    orderId: order.id,
    intentId: intent.intentId,
    amountCents: intent.amountReceived,
    reason,
  });
  await raiseFlag(tx, parts.announce, {
    kind: "late_payment_refunded",
    subject: intent.intentId,
    orderId: order.id,
    message: `${reason}; the payment is being refunded`,
  });
}

/** Job: hands a written refund to the provider. Safe to repeat: the refund's id is its idempotency key. */
export async function sendRefund(parts: PaymentParts, refundId: string): Promise<void> {
  const [refund] = await parts.db.select().from(refunds).where(eq(refunds.id, refundId));
  if (!refund || refund.providerRefundId !== null || refund.status !== "pending") return;
  try {
    const made = await parts.provider.createRefund({
      intentId: refund.intentId,
      amount: refund.amountCents,
      idempotencyKey: `refund-${refund.id}`,
      refundId: refund.id,
    });
    await adoptRefund(parts.db, refund.orderId, { ...made, refundId: refund.id });
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    // First what was given back at the provider meanwhile: that may be why.
    await syncRefunds(parts, refund.intentId);
    await bookRefusal(parts, refund, error.message);
    return;
  }
  await syncRefunds(parts, refund.intentId);
}

/** A called-off order's buyer gets what is left all the same; every other refusal is the owner's to look at. */
async function bookRefusal(
  parts: PaymentParts,
  refund: typeof refunds.$inferSelect,
  message: string,
): Promise<void> {
  const { orderId, reason } = refund;
  await parts.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    await tx.update(refunds).set({ status: "failed" }).where(eq(refunds.id, refund.id));
    if (order && order.calledOffAt !== null) {
      const leftCents = order.totalCents - (await refundedOrPending(tx, refund.intentId));
      if (leftCents <= 0) return;
      if (leftCents < refund.amountCents) {
        await writeRefund(tx, { orderId, intentId: refund.intentId, amountCents: leftCents, reason });
        return;
      }
    }
    await raiseFlag(tx, parts.announce, {
      kind: "refund_refused",
      subject: refund.id,
      orderId,
      message: `The payment provider refused a refund: ${message}`,
    });
  });
}

/**
 * Brings the shop's refunds of an intent in line with the provider's, those made in its dashboard included, and moves
 * the order accordingly; a refund that the bank bounced takes the order back.
 */
export async function syncRefunds(parts: PaymentParts, intentId: string): Promise<"synced" | "foreign"> {
  const ofIntent = eq(payments.intentId, intentId);
  const [known] = await parts.db.select({ orderId: payments.orderId }).from(payments).where(ofIntent);
  if (!known) return "foreign";
  const given = await parts.provider.listRefunds(intentId);
  await parts.db.transaction(async (tx) => {
    const order = await lockOrder(tx, known.orderId);
    if (!order) throw new Error(`Payment ${intentId} has lost its order`);
    for (const refund of given) await adoptRefund(tx, order.id, refund);
    const [payment] = await tx.select({ status: payments.status }).from(payments).where(ofIntent);
    // News of a refund may come before that of its payment, which then asks for the refunds itself.
    if (payment?.status === "succeeded") await applyRefunds(tx, parts, order, intentId);
  });
  return "synced";
}

async function adoptRefund(tx: Db, orderId: string, given: ProviderRefund): Promise<void> {
  if (given.refundId !== null) {
    await tx
      .update(refunds)
      .set({ providerRefundId: given.id })
      .where(and(sql`${refunds.id}::text = ${given.refundId}`, isNull(refunds.providerRefundId)));
  }
  await tx
    .insert(refunds)
    .values({
      id: randomUUID(),
      orderId,
      intentId: given.intentId,
      providerRefundId: given.id,
      amountCents: given.amount,
      status: given.status,
      createdAt: given.createdAt,
    })
    .onConflictDoUpdate({ target: refunds.providerRefundId, set: { status: given.status } });
}

async function applyRefunds(
  tx: Db,
  parts: PaymentParts,
  order: LockedOrder,
  intentId: string,
): Promise<void> {
  const [sum] = await tx
    .select({ cents: sql<number>`coalesce(sum(${refunds.amountCents}), 0)::int` })
    .from(refunds)
    .where(and(eq(refunds.intentId, intentId), eq(refunds.status, "succeeded")));
  const refundedCents = Math.min(sum?.cents ?? 0, order.totalCents);
  const isBooked = await bookRefunds(tx, order, refundedCents, parts.now());
  if (isBooked && refundedCents < order.refundedCents) {
    await raiseFlag(tx, parts.announce, {
      kind: "refund_failed",
      subject: `${intentId}:${refundedCents}`,
      orderId: order.id,
      message: "A refund did not reach the buyer: the bank sent it back",
    });
  }
}

async function refundedOrPending(tx: Db, intentId: string): Promise<number> {
  const [sum] = await tx
    .select({ cents: sql<number>`coalesce(sum(${refunds.amountCents}), 0)::int` })
    .from(refunds)
    .where(and(eq(refunds.intentId, intentId), inArray(refunds.status, ["pending", "succeeded"])));
  return sum?.cents ?? 0;
}

async function writeRefund(
  tx: Db,
  refund: { orderId: string; intentId: string; amountCents: number; reason: string | null },
): Promise<string> {
  const id = randomUUID();
  await tx.insert(refunds).values({ ...refund, id, status: "pending" });
  await addJob(tx, sendRefundJob, { refundId: id });
  return id;
}
