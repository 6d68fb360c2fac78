import type { OrderStatus } from "../../domain/order-status.ts";
import { type ActionResult, lockForAction, type OrderActionParts, refused } from "./action-parts.ts";
import { transitionOrder } from "./transition.ts";

/** Books a paid order's parcel as on its way, and tells the buyer. Never for an order that was called off. */
export async function shipOrder(
  parts: OrderActionParts,
  { orderId, carrier, trackingNumber }: { orderId: string; carrier: string; trackingNumber: string },
): Promise<ActionResult | null> {
  return parts.db.transaction(async (tx) => {
    const found = await lockForAction(tx, parts, orderId);
    if (!found) return null;
    const { status, fulfilment, calledOffAt } = found.order;
    if (calledOffAt !== null) return refused("The buyer has called this order off: it must not be shipped.");
    if (fulfilment !== null) return refused("This order has been shipped already.");
    if (status !== "completed" && status !== "partially_refunded") return refused(unpaid[status]);
    const now = parts.now();
    await transitionOrder(tx, {
      orderId,
      from: status,
      to: "shipped",
      actor: "owner",
      note: `${carrier} ${trackingNumber}`,
      now,
      set: { carrier, trackingNumber, shippedAt: now },
    });
    await parts.news.shipped(tx, { orderId, at: now });
    return { ok: true };
  });
}

/** Books a parcel as delivered: the days for a return count from now. */
export async function deliverOrder(parts: OrderActionParts, orderId: string): Promise<ActionResult | null> {
  return parts.db.transaction(async (tx) => {
    const found = await lockForAction(tx, parts, orderId);
    if (!found) return null;
    const { status, fulfilment } = found.order;
    if (fulfilment === null) return refused("This order has not been shipped.");
    if (fulfilment.deliveredAt !== null) return refused("This order has been delivered already.");
    if (status !== "shipped" && status !== "partially_refunded") return refused(unpaid[status]);
    const now = parts.now();
    await transitionOrder(tx, {
      orderId,
      from: status,
      to: "delivered",
      actor: "owner",
      note: null,
      now,
      set: { deliveredAt: now },
    });
    await parts.news.delivered(tx, { orderId, at: now });
    return { ok: true };
  });
}

const unpaid: Record<OrderStatus, string> = {
  pending: "This order has not been paid.",
  cancelled: "This order was cancelled.",
  refunded: "This order has been paid back in full.",
  completed: "This order has not been shipped.",
  partially_refunded: "This order has not been shipped.",
  shipped: "This order has been shipped already.",
  delivered: "This order has been delivered already.",
};
