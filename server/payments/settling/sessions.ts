import { and, eq, notInArray } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import { cancelUnpaidOrder, lockOrder } from "../../orders/lifecycle.ts";
import { endReason } from "../cancellation/end-reason.ts";
import type { SettleOutcome } from "../hooks.ts";
import { payments } from "../tables.ts";
import { settlePayment } from "./settle.ts";

/**
 * Settles the payment of a hosted page. The page creates its intent only when the shopper pays, so the session is read to find
 * the intent.
 */
export async function settleSession(ctx: ShopContext, sessionId: string): Promise<SettleOutcome> {
  const [payment] = await ctx.db.select().from(payments).where(eq(payments.sessionId, sessionId));
  if (!payment) return "foreign";
  const session = await ctx.provider.retrieveSession(sessionId);
  if (session.intentId !== null && session.status === "complete") {
    const intent = await ctx.provider.retrieveIntent(session.intentId);
    const outcome = await settlePayment(ctx, intent);
    // The payment failed after processing, and a submitted page cannot be used again.
    return intent.status === "requires_payment" ? endSession(ctx, payment, "The payment failed") : outcome;
  }
  return session.status === "expired" ? endSession(ctx, payment, "The payment page expired") : "none";
}

async function endSession(
  ctx: ShopContext,
  payment: typeof payments.$inferSelect,
  note: string,
): Promise<SettleOutcome> {
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, payment.orderId);
    // An order edit keeps waiting: its link opens a new page.
    if (payment.orderEditId === null && order?.status !== "pending") return "none";
    const isOpen = notInArray(payments.status, ["succeeded", "canceled"]);
    // `payment` was read before the call to the provider: the reason for closing the page may have been stored since.
    const [ended] = await tx
      .update(payments)
      .set({ status: "canceled" })
      .where(and(eq(payments.id, payment.id), isOpen))
      .returning();
    // A later payment has replaced this one, and can still pay the order.
    if (!ended || !order) return "none";
    if (ended.orderEditId !== null) return "cancel";
    const reason = endReason(ended);
    // An exchange keeps waiting, too, unless the shop has ended it.
    if (order.creditCents > 0 && reason === null) return "cancel";
    await cancelUnpaidOrder(tx, order, {
      ...(reason ?? { actor: "provider" as const, note }),
      now: ctx.now(),
    });
    return "cancel";
  });
}
