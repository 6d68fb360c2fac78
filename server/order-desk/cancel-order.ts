import { buyerName } from "../../domain/orders/first-name.ts";
import type { Order } from "../../domain/orders/order.ts";
import { orderActions } from "../../domain/orders/order-actions.ts";
import { enforceConfirmationLimit } from "../admin/confirmation-limit.ts";
import type { ShopContext } from "../context.ts";
import { cancelPaidOrder, type LockedOrder } from "../orders/lifecycle.ts";
import { findOrder } from "../orders/queries.ts";
import { cancelUnpaidNow } from "../payments/cancellation/close.ts";
import { heldByDisputes, readOrderMoney } from "../payments/refunds/refundable.ts";
import { refundLockedOrder } from "../payments/refunds/refunds.ts";
import type { Db } from "../platform/database/database.ts";
import { type ActionResult, orderNotFound, refuse, withLockedOrder } from "./actions.ts";
import { enqueueOrderCancelled, enqueueWithdrawn } from "./change-mail.ts";
import { dropWaitingEdit } from "./edits/waiting-edit.ts";
import { endExchanges } from "./exchanges/settle.ts";
import { closeOpenReturns, holdWithdrawn, writeReturn } from "./fulfilment/returns.ts";

/** `reason` is sent to the buyer. `restock` is false if the units must not be sold again. */
type Cancellation = { by: "buyer" } | { by: "shop"; reason: string | null; restock: boolean };

/**
 * Cancels an order before it ships. The payment of an unpaid order is cancelled at the provider first; if it has succeeded
 * before that, the order is cancelled like a paid one. For a paid order, one transaction marks it as cancelled, requests the
 * refund of the remaining amount, restocks its units and enqueues the e-mails, so that a crash cannot leave it half done.
 * Idempotent. Throws `ProviderUnavailable` if the payment of an unpaid order cannot be checked.
 */
export async function cancelOrder(
  ctx: ShopContext,
  orderId: string,
  cancellation: Cancellation = { by: "buyer" },
): Promise<ActionResult> {
  const { by } = cancellation;
  const actor = by === "buyer" ? "shopper" : "owner";
  await cancelUnpaidNow(ctx, orderId, { actor, note: `Cancelled by the ${by}` });
  const result = await withLockedOrder<ActionResult>(ctx, orderId, async (tx, { order, locked, may }) => {
    if (order.status === "cancelled" || order.cancelledAt !== null) return { ok: true };
    if (!may.cancel || order.status === "pending") return refuse(cancellationProblem(order, by));
    const reason = cancellation.by === "shop" ? cancellation.reason : null;
    const refundCents = await bookCancellation(ctx, tx, locked, {
      actor,
      note: `Cancelled by the ${by}`,
      reason,
      restock: cancellation.by === "buyer" || cancellation.restock,
      notify: (cents) => enqueueOrderCancelled(tx, { orderId, refundCents: cents, by, reason }),
    });
    ctx.log.info({ orderId, refundCents, by }, "order cancelled");
    return { ok: true };
  });
  return result ?? orderNotFound;
}

/** The transaction of a paid order's cancellation; returns the refunded cents. The caller holds the order's lock. */
async function bookCancellation(
  ctx: ShopContext,
  tx: Db,
  order: LockedOrder,
  change: {
    actor: "shopper" | "owner";
    note: string;
    /** Stored with the refund instead of the note. */
    reason?: string | null;
    restock: boolean;
    notify(refundCents: number): Promise<void>;
  },
): Promise<number> {
  const { actor, note, restock } = change;
  const reason = change.reason ?? note;
  const refund = await refundLockedOrder(ctx, tx, {
    orderId: order.id,
    amountCents: null,
    reason,
    actor,
    from: "all",
  });
  const isUnpaid = !refund.ok && refund.reason === "not_paid";
  if (isUnpaid && order.totalCents > order.creditCents) throw new Error(`Order ${order.id} has no payment`);
  // The amount held by a dispute is refunded once the dispute is won, so it counts towards the person's limit now.
  const heldCents = heldByDisputes(ctx.provider, await readOrderMoney(tx, order.id));
  await enforceConfirmationLimit(tx, { cents: heldCents, verb: "goes back" });
  // `refund.ok` is false if the whole amount has already been refunded.
  const refundCents = refund.ok ? refund.amountCents : 0;
  await change.notify(refundCents);
  // Locks stock, so it comes after `enforceConfirmationLimit`, which may make another call of the same person wait.
  const withdrawnNote = "The change of items was withdrawn: the order was cancelled";
  await dropWaitingEdit(ctx, tx, order, { actor, note: withdrawnNote });
  await endExchanges(tx, [order.id]);
  await cancelPaidOrder(tx, order, { actor, note, restock, now: ctx.now() });
  return refundCents;
}

/** The message that explains to the caller why an order cannot be cancelled. */
function cancellationProblem(
  { status, shipments }: Pick<Order, "status" | "shipments">,
  by: Cancellation["by"],
): string {
  if (shipments.length > 0) return "This order has been shipped, so it can’t be cancelled anymore.";
  if (status !== "pending") return "This order can’t be cancelled anymore: it has been refunded.";
  return by === "buyer"
    ? "Your payment is being processed, so this order can’t be cancelled yet. Once it has gone through, you can cancel and get your money back; if it fails, the order is cancelled automatically."
    : "The payment of this order is being processed, so it can’t be cancelled yet. Once it has gone through, you can cancel and refund the order; if it fails, the order is cancelled automatically.";
}

/**
 * Records a buyer's withdrawal from the contract. An unshipped order is cancelled; a shipped one is refunded once the goods are
 * back, and its unshipped units are put on hold. The statement is stored and acknowledged in the same transaction. Repeats change
 * nothing. Throws `ProviderUnavailable` like `cancelOrder`.
 */
export async function withdrawFromOrder(
  ctx: ShopContext,
  { orderId, ...statement }: { orderId: string; name: string | null; email: string | null },
): Promise<ActionResult> {
  const before = await findOrder(ctx.db, orderId);
  if (!before) return orderNotFound;
  if (hasWithdrawn(before)) return { ok: true };
  if (orderActions(before, await ctx.settings(), ctx.now()).withdrawUntil === null) {
    return refuse("There is no right of withdrawal for this order, or its period is over.");
  }
  const reason = { actor: "shopper", note: "Withdrawn from by the buyer" } as const;
  await cancelUnpaidNow(ctx, orderId, reason);
  const result = await withLockedOrder<ActionResult>(ctx, orderId, async (tx, { order, locked, may }) => {
    if (hasWithdrawn(order)) return { ok: true };
    if (order.status === "pending") return refuse(cancellationProblem(order, "buyer"));
    // The unpaid order was cancelled above.
    const isEnded = order.status === "cancelled";
    if (may.withdrawUntil === null && !isEnded) {
      return refuse("There is no longer a right of withdrawal for this order: it was cancelled or refunded.");
    }
    const hasShipped = order.shipments.length > 0;
    const at = ctx.now();
    const name = statement.name ?? (buyerName(order) || order.customerName);
    const email = statement.email ?? order.email;
    // If nothing was shipped, the return of a settled exchange stays open: closing it makes the new order's money refundable.
    const isExchangeSettled = order.exchanges.some(
      ({ status, receivedAt }) => status === "settled" && receivedAt === null,
    );
    if (hasShipped || !isExchangeSettled) await closeOpenReturns(tx, orderId, at);
    const returnId = await writeReturn(tx, {
      orderId,
      kind: "withdrawal",
      status: hasShipped ? "requested" : "closed",
      reason: `Declared by ${name}, to be acknowledged to ${email}`,
      requestedAt: at,
    });
    const notify = (refundCents: number | null) =>
      enqueueWithdrawn(tx, { orderId, returnId, name, email, at, refundCents });
    if (isEnded) await notify(0);
    else if (!hasShipped) await bookCancellation(ctx, tx, locked, { ...reason, restock: true, notify });
    else {
      await notify(null);
      await holdWithdrawn(tx, locked, at);
    }
    return { ok: true };
  });
  return result ?? orderNotFound;
}

function hasWithdrawn({ returns }: Order): boolean {
  return returns.some(({ kind, status }) => kind === "withdrawal" && status !== "declined");
}
