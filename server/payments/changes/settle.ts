import { eq, sql } from "drizzle-orm";
import { formatCents } from "../../../domain/shared/money.ts";
import type { ShopContext } from "../../context.ts";
import { applyChange, ChangeRefused } from "../../order-desk/items/apply.ts";
import { orderEdits } from "../../order-desk/tables.ts";
import type { LockedOrder } from "../../orders/lifecycle.ts";
import type { Intent } from "../../payment-providers/provider.ts";
import type { Db } from "../../platform/database/database.ts";
import { addJob } from "../../platform/jobs/jobs.ts";
import { raiseIssue } from "../issues.ts";
import { syncDisputesJob, syncRefundsJob } from "../job-kinds.ts";
import { writeRefund } from "../refunds/refunds.ts";
import { payments, refunds } from "../tables.ts";
import { removalNow, takeBack } from "./unpayable.ts";

/**
 * What news of a payment mean for the change of a paid order that it pays: applied where it waits, or waited too long and everything
 * is still as it was; else the money goes back whole, once, and the change ends. The caller holds the order's lock. Any number of calls come to the same.
 */
export async function settleChange(
  ctx: ShopContext,
  tx: Db,
  { order, intent }: { order: LockedOrder; intent: Intent },
): Promise<"complete" | "refund" | "cancel" | "issue" | "none"> {
  const [payment] = await tx.select().from(payments).where(eq(payments.intentId, intent.intentId));
  if (!payment) return "none";
  const [given] = await tx
    .select({
      cents: sql<number>`coalesce(sum(${refunds.amountCents}) filter (where ${refunds.status} <> 'failed'), 0)::int`,
      asked: sql<number>`(count(*) filter (where ${refunds.origin} = 'shop'))::int`,
    })
    .from(refunds)
    .where(eq(refunds.intentId, intent.intentId));
  if (intent.amountRefunded > (given?.cents ?? 0)) {
    await addJob(tx, syncRefundsJob, { intentId: intent.intentId });
  }
  const isOf = eq(payments.id, payment.id);
  // What is given back because it could not be honoured is given back once, whatever becomes of that.
  const isBooked = payment.status === "succeeded" || (given?.asked ?? 0) > 0;
  if (isBooked) return "none";
  if (intent.status === "canceled") {
    await tx.update(payments).set({ status: "canceled" }).where(isOf);
    return "cancel";
  }
  if (intent.status !== "succeeded") {
    const status = intent.status === "processing" ? "processing" : "requires_payment";
    if (payment.status === "processing" || payment.status === "requires_payment")
      await tx.update(payments).set({ status }).where(isOf);
    return "none";
  }
  if (intent.amountReceived !== payment.amountCents || intent.currency.toUpperCase() !== payment.currency) {
    await raiseIssue(tx, {
      kind: "amount_mismatch",
      subject: intent.intentId,
      orderId: order.id,
      message: `Payment ${intent.intentId} brought ${intent.amountReceived} ${intent.currency.toUpperCase()}, the change of the order is ${payment.amountCents} ${payment.currency}`,
    });
    return "issue";
  }
  if (intent.isDisputed) await addJob(tx, syncDisputesJob, { intentId: intent.intentId });
  const { account, mode } = ctx.provider;
  const seen = {
    paidWith: intent.paidWith,
    account: sql`coalesce(${payments.account}, ${account})`,
    mode: sql`coalesce(${payments.mode}, ${mode})`,
  };
  // Made in the provider's dashboard, before this was heard of.
  const backCents = Math.max(intent.amountRefunded, given?.cents ?? 0);
  try {
    await tx.transaction(async (nested) => {
      if (backCents >= intent.amountReceived) throw new ChangeRefused("Its payment was given back.");
      await nested
        .update(payments)
        .set({ ...seen, status: "succeeded" })
        .where(isOf);
      await applyPaid(ctx, nested, order, payment.orderEditId ?? "");
    });
    if (backCents > 0) await addJob(tx, syncRefundsJob, { intentId: intent.intentId });
    return "complete";
  } catch (error) {
    if (!(error instanceof ChangeRefused)) throw error;
    await tx
      .update(payments)
      .set({ ...seen, status: "canceled" })
      .where(isOf);
    const leftCents = intent.amountReceived - backCents;
    if (leftCents > 0) await refundLate(tx, { order, intent, leftCents, why: error.message });
    // Last, because it locks the stock.
    if (payment.orderEditId !== null) await takeBack(ctx, tx, payment.orderEditId, error.message);
    return "refund";
  }
}

async function applyPaid(ctx: ShopContext, tx: Db, order: LockedOrder, changeId: string): Promise<void> {
  const [change] = await tx.select().from(orderEdits).where(eq(orderEdits.id, changeId));
  if (!change) throw new Error(`change ${changeId} is not there`);
  if (change.status === "applied") throw new ChangeRefused("It had been paid before.");
  if (change.status === "withdrawn") throw new ChangeRefused("It had been taken back.");
  const now = await removalNow(ctx, tx, change);
  if (!now.ok) throw new ChangeRefused(now.why);
  await applyChange(ctx, tx, { order, change, removal: now.removal, actor: "provider", tell: true });
}

/** The payment is not booked: what is left of it goes back, and the owner is told. */
async function refundLate(
  tx: Db,
  { order, intent, leftCents, why }: { order: LockedOrder; intent: Intent; leftCents: number; why: string },
): Promise<void> {
  await writeRefund(tx, {
    orderId: order.id,
    intentId: intent.intentId,
    amountCents: leftCents,
    reason: "Paid when the change of the order could no longer be made",
    actor: "system",
  });
  await raiseIssue(tx, {
    kind: "late_payment_refunded",
    subject: intent.intentId,
    orderId: order.id,
    message: `${formatCents(intent.amountReceived)} came in for items to be added, which could not be. ${why} The payment is being refunded`,
  });
}
