import { buyerName } from "../../domain/orders/first-name.ts";
import type { Order } from "../../domain/orders/order.ts";
import { orderActions } from "../../domain/orders/order-actions.ts";
import type { ShopContext } from "../context.ts";
import { findOrder } from "../orders/queries.ts";
import { cancelUnpaidNow } from "../payments/cancellation/close.ts";
import { type ActionResult, lockForAction, refused } from "./actions.ts";
import { bookCancellation, cancellationProblem } from "./cancel-order.ts";
import { enqueueWithdrawn } from "./change-mail.ts";
import { closeOpenReturns, writeReturn } from "./fulfilment/returns.ts";

/**
 * Withdraws a buyer from the contract. An unshipped order is cancelled; a shipped one is refunded once the goods are back. The
 * statement is stored and acknowledged in the same transaction. Repeats change nothing. Throws `ProviderUnavailable` like
 * `cancelOrder`.
 */
export async function withdrawFromOrder(
  ctx: ShopContext,
  { orderId, ...statement }: { orderId: string; name: string | null; email: string | null },
): Promise<ActionResult> {
  const before = await findOrder(ctx.db, orderId);
  if (!before) return refused("There is no such order.");
  if (hasWithdrawn(before)) return { ok: true };
  if (orderActions(before, await ctx.settings(), ctx.now()).withdrawUntil === null) {
    return refused("There is no right of withdrawal for this order, or its period is over.");
  }
  const why = { actor: "shopper", note: "Withdrawn from by the buyer" } as const;
  await cancelUnpaidNow(ctx, orderId, why);
  return ctx.db.transaction(async (tx) => {
    const target = await lockForAction(ctx, tx, orderId);
    if (!target) return refused("There is no such order.");
    const { order, locked, may } = target;
    if (hasWithdrawn(order)) return { ok: true };
    if (order.status === "pending") return refused(cancellationProblem(order, "buyer"));
    // The order has just ended unpaid and needs no cancellation.
    const isEnded = order.status === "cancelled";
    if (may.withdrawUntil === null && !isEnded) {
      return refused(
        "There is no longer a right of withdrawal for this order: it was cancelled or refunded.",
      );
    }
    const hasShipped = order.shipments.length > 0;
    const at = ctx.now();
    const name = statement.name ?? (buyerName(order) || order.customerName);
    const email = statement.email ?? order.email;
    await closeOpenReturns(tx, orderId, at);
    const returnId = await writeReturn(tx, {
      orderId,
      kind: "withdrawal",
      status: hasShipped ? "requested" : "closed",
      reason: `Declared by ${name}, to be acknowledged to ${email}`,
      requestedAt: at,
    });
    const tell = (refundCents: number | null) =>
      enqueueWithdrawn(tx, { orderId, returnId, name, email, at, refundCents });
    if (isEnded) await tell(0);
    else if (!hasShipped) await bookCancellation(ctx, tx, locked, { ...why, restock: true, tell });
    else await tell(null);
    return { ok: true };
  });
}

function hasWithdrawn({ returns }: Order): boolean {
  return returns.some(({ kind, status }) => kind === "withdrawal" && status !== "declined");
}
