import { and, eq, ne, sql } from "drizzle-orm";
import { formatCents } from "../../../domain/shared/money.ts";
import type { ShopContext } from "../../context.ts";
import { lockForAction } from "../../orders/actions.ts";
import { applyChange, ChangeRefused, itemsProblem, removalOf } from "../../orders/items/apply.ts";
import type { LockedOrder } from "../../orders/lifecycle.ts";
import { orderChanges } from "../../orders/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { addJob } from "../../platform/jobs/jobs.ts";
import { raiseIssue } from "../issues.ts";
import { syncDisputesJob, syncRefundsJob } from "../job-kinds.ts";
import type { Intent } from "../provider.ts";
import { writeRefund } from "../refunds/refunds.ts";
import { payments, refunds } from "../tables.ts";

/**
 * What news of a payment mean for the change of a paid order that it pays: applied where it waits, or waited too long and everything
 * is still as it was; else the money goes back whole. The caller holds the order's lock. Any number of calls come to the same.
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
      cents: sql<number>`coalesce(sum(${refunds.amountCents}), 0)::int`,
      count: sql<number>`count(*)::int`,
    })
    .from(refunds)
    .where(and(eq(refunds.intentId, intent.intentId), ne(refunds.status, "failed")));
  if (intent.amountRefunded > (given?.cents ?? 0)) {
    await addJob(tx, syncRefundsJob, { intentId: intent.intentId });
  }
  const isOf = eq(payments.id, payment.id);
  const isBooked = payment.status === "succeeded" || (given?.count ?? 0) > 0;
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
  try {
    await tx.transaction(async (nested) => {
      await nested
        .update(payments)
        .set({ ...seen, status: "succeeded" })
        .where(isOf);
      await applyPaid(ctx, nested, order, payment.changeId ?? "");
    });
    return "complete";
  } catch (error) {
    if (!(error instanceof ChangeRefused)) throw error;
    await tx
      .update(payments)
      .set({ ...seen, status: "canceled" })
      .where(isOf);
    await refundLate(tx, order, intent, error.message);
    return "refund";
  }
}

async function applyPaid(ctx: ShopContext, tx: Db, order: LockedOrder, changeId: string): Promise<void> {
  const [change] = await tx.select().from(orderChanges).where(eq(orderChanges.id, changeId));
  if (!change) throw new Error(`change ${changeId} is not there`);
  if (change.status === "applied") throw new ChangeRefused("It had been paid before.");
  if (change.status === "withdrawn") throw new ChangeRefused("It had been taken back.");
  const found = await lockForAction(ctx, tx, order.id);
  const problem = found && itemsProblem(found.order, null);
  if (!found || problem) throw new ChangeRefused(problem ?? "The order is not there.");
  const removal = await removalOf(tx, change);
  if (!removal) throw new ChangeRefused("What was to be taken out of the order has changed since.");
  await applyChange(ctx, tx, { order, change, removal, actor: "provider", tell: true });
}

/** The payment is not booked: it goes back whole, and the owner is told. */
async function refundLate(tx: Db, order: LockedOrder, intent: Intent, why: string): Promise<void> {
  await writeRefund(tx, {
    orderId: order.id,
    intentId: intent.intentId,
    amountCents: intent.amountReceived,
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
