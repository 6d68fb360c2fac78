import { eq, sql } from "drizzle-orm";
import { formatCents } from "../../../domain/shared/money.ts";
import type { ShopContext } from "../../context.ts";
import { raiseIssue } from "../../issues/issues.ts";
import type { LockedOrder } from "../../orders/lifecycle.ts";
import type { Intent } from "../../payment-providers/provider.ts";
import { syncDisputesJob, syncRefundsJob } from "../../payments/job-kinds.ts";
import { writeRefund } from "../../payments/refunds/refunds.ts";
import { markPayment } from "../../payments/settling/mark-payment.ts";
import { payments, refunds } from "../../payments/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { addJob } from "../../platform/jobs/jobs.ts";
import { orderEdits } from "../tables.ts";
import { applyEdit, EditRefused } from "./apply.ts";
import { currentRemoval, withdrawEdit } from "./waiting-edit.ts";

/**
 * Settles the payment of an order edit. A paid edit is applied if it is waiting, or if it has expired and its order has not
 * changed since; otherwise the whole payment is refunded once and the edit ends. The caller holds the order's lock. Idempotent.
 */
export async function settleEdit(
  ctx: ShopContext,
  tx: Db,
  { order, intent }: { order: LockedOrder; intent: Intent },
): Promise<"complete" | "refund" | "cancel" | "issue" | "none"> {
  const [payment] = await tx.select().from(payments).where(eq(payments.intentId, intent.intentId));
  if (!payment) return "none";
  const [refunded] = await tx
    .select({
      cents: sql<number>`coalesce(sum(${refunds.amountCents}) filter (where ${refunds.status} <> 'failed'), 0)::int`,
      requests: sql<number>`(count(*) filter (where ${refunds.origin} = 'shop'))::int`,
    })
    .from(refunds)
    .where(eq(refunds.intentId, intent.intentId));
  if (intent.amountRefunded > (refunded?.cents ?? 0)) {
    await addJob(tx, syncRefundsJob, { intentId: intent.intentId });
  }
  // A payment without an edit to apply is refunded once, even if that refund fails.
  if (payment.status === "succeeded" || (refunded?.requests ?? 0) > 0) return "none";
  if (intent.status === "canceled") {
    await markPayment(ctx, tx, intent, "canceled");
    return "cancel";
  }
  if (intent.status !== "succeeded") {
    const status = intent.status === "processing" ? "processing" : "requires_payment";
    if (payment.status === "processing" || payment.status === "requires_payment")
      await markPayment(ctx, tx, intent, status);
    return "none";
  }
  if (intent.amountReceived !== payment.amountCents || intent.currency.toUpperCase() !== payment.currency) {
    await raiseIssue(tx, {
      kind: "amount_mismatch",
      subject: intent.intentId,
      orderId: order.id,
      message: `Payment ${intent.intentId} is for ${intent.amountReceived} ${intent.currency.toUpperCase()}, but the order edit costs ${payment.amountCents} ${payment.currency}`,
    });
    return "issue";
  }
  if (intent.isDisputed) await addJob(tx, syncDisputesJob, { intentId: intent.intentId });
  // Includes refunds made in the provider's dashboard before the shop knew of the payment.
  const refundedCents = Math.max(intent.amountRefunded, refunded?.cents ?? 0);
  try {
    await tx.transaction(async (nested) => {
      if (refundedCents >= intent.amountReceived) throw new EditRefused("Its payment was refunded.");
      await applyPaidEdit(ctx, nested, { order, intent, editId: payment.orderEditId ?? "" });
    });
    if (refundedCents > 0) await addJob(tx, syncRefundsJob, { intentId: intent.intentId });
    return "complete";
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error;
    await markPayment(ctx, tx, intent, "canceled");
    const leftCents = intent.amountReceived - refundedCents;
    if (leftCents > 0) await refundLate(tx, { order, intent, leftCents, reason: error.message });
    // Last, because it locks stock.
    if (payment.orderEditId !== null) await withdrawEdit(ctx, tx, payment.orderEditId, error.message);
    return "refund";
  }
}

async function applyPaidEdit(
  ctx: ShopContext,
  tx: Db,
  { order, intent, editId }: { order: LockedOrder; intent: Intent; editId: string },
): Promise<void> {
  const [edit] = await tx.select().from(orderEdits).where(eq(orderEdits.id, editId));
  if (!edit) throw new Error(`order edit ${editId} is missing`);
  if (edit.status === "applied") throw new EditRefused("It had been paid before.");
  if (edit.status === "withdrawn") throw new EditRefused("It had been withdrawn.");
  const current = await currentRemoval(ctx, tx, edit);
  if (!current.ok) throw new EditRefused(current.reason);
  // Only after these checks, because the database allows an edit only one successful payment.
  await markPayment(ctx, tx, intent, "succeeded");
  await applyEdit(ctx, tx, { order, edit, removal: current.removal, actor: "provider", sendsMail: true });
}

/** Refunds the remaining amount of a payment whose edit cannot be applied, and raises an issue for the owner. */
async function refundLate(
  tx: Db,
  {
    order,
    intent,
    leftCents,
    reason,
  }: { order: LockedOrder; intent: Intent; leftCents: number; reason: string },
): Promise<void> {
  await writeRefund(tx, {
    orderId: order.id,
    intentId: intent.intentId,
    amountCents: leftCents,
    reason: "Paid when the edit to the order could no longer be made",
    actor: "system",
  });
  await raiseIssue(tx, {
    kind: "late_payment_refunded",
    subject: intent.intentId,
    orderId: order.id,
    message: `${formatCents(intent.amountReceived)} was paid for items that could no longer be added. ${reason} The payment is being refunded`,
  });
}
