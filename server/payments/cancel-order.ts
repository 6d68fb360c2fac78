import type { Order } from "../../domain/orders/order.ts";
import { type ActionResult, lockForAction, type OrderActionParts, refused } from "../orders/action-parts.ts";
import { callOff, type LockedOrder } from "../orders/lifecycle.ts";
import type { Db } from "../platform/database.ts";
import { endNow } from "./close.ts";
import type { PaymentParts } from "./parts.ts";
import { refundLocked } from "./refunds.ts";

export type CallOffParts = PaymentParts & OrderActionParts;

/** Who calls an order off. The owner may say why, which the buyer reads, and keep units that are not to be sold again. */
export type CallOff = { by: "buyer" } | { by: "shop"; reason: string | null; restock: boolean };

/**
 * Calls an order off before it ships. Unpaid: its payment is cancelled at the provider first, and with it the order; one
 * that has succeeded meanwhile makes it a paid order, which is called off like any other. Paid: one transaction marks it,
 * asks for the refund of all that is left, puts the units back and tells who has to know, so that no crash can lose a
 * part of it. Calling an order off again changes nothing. Throws `ProviderUnavailable` where an unpaid order cannot be
 * ended.
 */
export async function callOffOrder(
  parts: CallOffParts,
  orderId: string,
  wish: CallOff = { by: "buyer" },
): Promise<ActionResult> {
  const { by } = wish;
  const actor = by === "buyer" ? "shopper" : "owner";
  await endNow(parts, orderId, { actor, note: `Cancelled by the ${by}` });
  return parts.db.transaction(async (tx) => {
    const found = await lockForAction(tx, parts, orderId);
    if (!found) return refused("There is no such order.");
    const { order, locked, may } = found;
    if (order.status === "cancelled" || order.calledOffAt !== null) return { ok: true };
    if (!may.cancel || order.status === "pending") return refused(whyNot(order, by));
    const reason = wish.by === "shop" ? wish.reason : null;
    const refundCents = await bookCallOff(tx, parts, locked, {
      actor,
      note: `Cancelled by the ${by}`,
      reason,
      restock: wish.by === "buyer" || wish.restock,
      tell: (cents) => parts.news.calledOff(tx, { orderId, refundCents: cents, by, reason }),
    });
    parts.log.info({ orderId, refundCents, by }, "an order was called off");
    return { ok: true };
  });
}

/** Marks, refunds, restocks, tells; answers the cents that go back. The caller holds the order's lock. */
export async function bookCallOff(
  tx: Db,
  parts: CallOffParts,
  order: LockedOrder,
  change: {
    actor: "shopper" | "owner";
    note: string;
    /** Kept with the refund instead of the note. */
    reason?: string | null;
    restock: boolean;
    tell(refundCents: number): Promise<void>;
  },
): Promise<number> {
  const { actor, note, restock } = change;
  const reason = change.reason ?? note;
  const refund = await refundLocked(tx, { orderId: order.id, amountCents: null, reason });
  if (!refund.ok && refund.reason === "not_paid") throw new Error(`Order ${order.id} has no payment`);
  // Nothing left: the owner has asked for all of it to be refunded before.
  const refundCents = refund.ok ? refund.amountCents : 0;
  await change.tell(refundCents);
  await callOff(tx, order, { actor, note, restock, now: parts.now() });
  return refundCents;
}

/** Why an order cannot be called off, in words for whoever wanted to. */
export function whyNot(
  { status, fulfilment }: Pick<Order, "status" | "fulfilment">,
  by: CallOff["by"],
): string {
  if (fulfilment !== null) return "This order has been shipped, so it can’t be cancelled any more.";
  if (status !== "pending") return "This order can’t be cancelled any more: it has been paid back.";
  return by === "buyer"
    ? "Your payment is being processed, so this order can’t be cancelled yet. Once it has gone through, you can cancel and get your money back; if it fails, the order is cancelled by itself."
    : "The payment of this order is being processed, so it can’t be cancelled yet. Once it has gone through, you can cancel and refund the order; if it fails, the order is cancelled by itself.";
}
