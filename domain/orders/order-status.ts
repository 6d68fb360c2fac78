export const orderStatuses = [
  "pending",
  "completed",
  "shipped",
  "delivered",
  "cancelled",
  "partially_refunded",
  "refunded",
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/**
 * The states that an order may move to from each state. Orders change state in no other way.
 *
 * Special cases: a payment for a cancelled order is accepted (-> completed) or refunded (-> refunded), a bounced refund
 * restores the state of delivery, and a parcel marked as shipped by mistake is undone (shipped -> completed).
 */
export const orderTransitions: Record<OrderStatus, readonly OrderStatus[]> = {
  pending: ["completed", "cancelled"],
  cancelled: ["completed", "refunded"],
  completed: ["shipped", "partially_refunded", "refunded"],
  shipped: ["completed", "delivered", "partially_refunded", "refunded"],
  delivered: ["partially_refunded", "refunded"],
  partially_refunded: ["shipped", "delivered", "refunded", "completed"],
  refunded: ["partially_refunded", "completed", "shipped", "delivered", "cancelled"],
};

export function canTransition(from: OrderStatus, to: OrderStatus): boolean {
  return orderTransitions[from].includes(to);
}

/** Whether an order in this state was ever paid. */
export function isPaid(status: OrderStatus): boolean {
  return status !== "pending" && status !== "cancelled";
}

/**
 * The state of a paid order after refunds and lost disputes, or that of its delivery if there were none. `wasCompleted` is
 * false for an order whose late payment was not accepted: without its refund it is cancelled.
 */
export function statusAfterRefunds(order: {
  /** The amount that the buyer paid: the total without the amount exchanged by edits. */
  payableCents: number;
  refundedCents: number;
  chargedBackCents: number;
  wasCompleted: boolean;
  shippedAt: Date | null;
  deliveredAt: Date | null;
}): OrderStatus {
  const returnedCents = order.refundedCents + order.chargedBackCents;
  if (returnedCents >= order.payableCents) return "refunded";
  if (!order.wasCompleted) return "cancelled";
  if (returnedCents > 0) return "partially_refunded";
  if (order.deliveredAt) return "delivered";
  return order.shippedAt ? "shipped" : "completed";
}

/** "partially_refunded" -> "Partially refunded". `completed` is shown as paid. */
export function orderStatusLabel(status: string): string {
  if (status === "completed") return "Paid, being prepared";
  const words = status.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function orderStatusTone(status: string): "success" | "warning" | "info" {
  return status === "completed" ? "success" : status === "pending" ? "warning" : "info";
}
