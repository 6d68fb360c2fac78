import { randomUUID } from "node:crypto";
import { and, eq, inArray, ne, sql } from "drizzle-orm";
import type { RefundSplit } from "../../../domain/orders/line-refund.ts";
import type { ShopContext } from "../../context.ts";
import { updateShipHold } from "../../orders/fulfilment/ship-hold.ts";
import { type LockedOrder, notePayment } from "../../orders/lifecycle.ts";
import type { Db } from "../../platform/database/database.ts";
import { actingPerson } from "../../platform/http/acting-person.ts";
import { addJob } from "../../platform/jobs/jobs.ts";
import { raiseIssue } from "../issues.ts";
import { sendRefundJob, sendRefundKey } from "../job-kinds.ts";
import type { Intent } from "../provider.ts";
import { disputes, payments, refunds } from "../tables.ts";

export type RefundResult =
  | { ok: true; refundId: string; amountCents: number }
  | { ok: false; reason: "not_paid" | "too_much"; refundableCents?: number };

export type RefundRequest = {
  orderId: string;
  /** Null: all that is left. */
  amountCents: number | null;
  reason: string | null;
  /** Who asked for it. */
  actor?: "shopper" | "owner" | "system";
  /** Who of the owner's side; missing: whoever makes the call that runs. */
  personId?: string | null;
  /** What the amount gives back; missing: something of everything that is left, in proportion. */
  split?: RefundSplit;
  /** Of the refund to be written; missing: a new one. */
  refundId?: string;
  /** When the job hands it over; missing: at once. */
  sendAt?: Date;
};

/**
 * Asks for money to be given back, in the caller's transaction, which holds the order's lock. The request is written first
 * and sent by a job until the provider has it, so that a crash or an outage loses nothing and a repeat gives nothing
 * twice. Never more than was paid, pending ones counted.
 */
export async function refundLocked(tx: Db, input: RefundRequest): Promise<RefundResult> {
  const [payment] = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, input.orderId), eq(payments.status, "succeeded")));
  if (!payment?.intentId) return { ok: false, reason: "not_paid" };
  const { intentId } = payment;
  const refundableCents = payment.amountCents - (await refundedOrDisputedCents(tx, intentId));
  const amountCents = input.amountCents ?? refundableCents;
  if (amountCents <= 0 || amountCents > refundableCents)
    return { ok: false, reason: "too_much", refundableCents };
  const refundId = await writeRefund(tx, { ...input, intentId, amountCents });
  return { ok: true, refundId, amountCents };
}

/** Gives a whole payment back that cannot be honoured, and tells the owner. Inside the caller's transaction. */
export async function refundLatePayment(
  ctx: ShopContext,
  tx: Db,
  { order, intent, reason }: { order: LockedOrder; intent: Intent; reason: string },
): Promise<void> {
  await notePayment(tx, order.id, ctx.now());
  await writeRefund(tx, {
    orderId: order.id,
    intentId: intent.intentId,
    amountCents: intent.amountReceived,
    reason,
    actor: "system",
  });
  await raiseIssue(tx, {
    kind: "late_payment_refunded",
    subject: intent.intentId,
    orderId: order.id,
    message: `${reason}; the payment is being refunded`,
  });
}

/**
 * Cents of a payment that were given back or are on their way, and those that a dispute has taken or holds: a bank that has
 * taken them for the buyer must not be helped by giving them once more.
 */
export async function refundedOrDisputedCents(tx: Db, intentId: string): Promise<number> {
  const [sum] = await tx
    .select({ cents: sql<number>`coalesce(sum(${disputes.withdrawnCents}), 0)::int` })
    .from(disputes)
    .where(and(eq(disputes.intentId, intentId), ne(disputes.status, "won")));
  return (sum?.cents ?? 0) + (await refundedOrPendingCents(tx, intentId));
}

/** Cents of a payment that were given back or are on their way. */
async function refundedOrPendingCents(tx: Db, intentId: string): Promise<number> {
  const [sum] = await tx
    .select({ cents: sql<number>`coalesce(sum(${refunds.amountCents}), 0)::int` })
    .from(refunds)
    .where(and(eq(refunds.intentId, intentId), inArray(refunds.status, ["pending", "succeeded"])));
  return sum?.cents ?? 0;
}

/** Writes a refund down together with the job that hands it to the provider. */
export async function writeRefund(
  tx: Db,
  refund: RefundRequest & { intentId: string; amountCents: number },
): Promise<string> {
  const {
    orderId,
    intentId,
    amountCents,
    reason,
    actor = null,
    personId = actingPerson(),
    refundId: id = randomUUID(),
    sendAt,
    split,
  } = refund;
  const parts = split && {
    goodsCents: split.goods,
    shippingCents: split.shipping,
    taxCents: split.tax,
    lines: split.lines,
  };
  await tx.insert(refunds).values({
    id,
    orderId,
    intentId,
    amountCents,
    reason,
    actor,
    personId: actor === "owner" ? personId : null,
    ...parts,
    status: "pending",
  });
  const when = sendAt === undefined ? {} : { runAt: sendAt };
  await updateShipHold(tx, orderId);
  await addJob(tx, sendRefundJob, { refundId: id }, { key: sendRefundKey(id), ...when });
  return id;
}
