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
 * A buyer withdraws from the contract. Before shipping that calls the order off; after it, the goods come back and are
 * paid back then. The statement is written down and acknowledged in the same transaction. Declaring it again changes
 * nothing. Throws `ProviderUnavailable` as `cancelOrder` does.
 */
export async function withdrawFromOrder(
  ctx: ShopContext,
  { orderId, ...given }: { orderId: string; name: string | null; email: string | null },
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
    const found = await lockForAction(ctx, tx, orderId);
    if (!found) return refused("There is no such order.");
    const { order, locked, may } = found;
    if (hasWithdrawn(order)) return { ok: true };
    if (order.status === "pending") return refused(cancellationProblem(order, "buyer"));
    // Ended just now, before it was paid: there is nothing left to cancel.
    const isEnded = order.status === "cancelled";
    if (may.withdrawUntil === null && !isEnded) {
      return refused(
        "There is no longer a right of withdrawal for this order: it was cancelled or refunded.",
      );
    }
    const hasLeft = order.shipments.length > 0;
    const at = ctx.now();
    const name = given.name ?? (buyerName(order) || order.customerName);
    const email = given.email ?? order.email;
    await closeOpenReturns(tx, orderId, at);
    const returnId = await writeReturn(tx, {
      orderId,
      kind: "withdrawal",
      status: hasLeft ? "requested" : "closed",
      reason: `Declared by ${name}, to be acknowledged to ${email}`,
      requestedAt: at,
    });
    const tell = (refundCents: number | null) =>
      enqueueWithdrawn(tx, { orderId, returnId, name, email, at, refundCents });
    if (isEnded) await tell(0);
    else if (!hasLeft) await bookCancellation(ctx, tx, locked, { ...why, restock: true, tell });
    else await tell(null);
    return { ok: true };
  });
}

function hasWithdrawn({ returns }: Order): boolean {
  return returns.some(({ kind, status }) => kind === "withdrawal" && status !== "declined");
}
