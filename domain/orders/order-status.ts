/** Every state an order can be in. */
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
 * The whole life of an order: from each state, the states it may move to. Nothing else moves an order.
 *
 * Beyond the straight way: a payment that arrives for a cancelled order is honoured (-> completed) or refunded
 * (-> refunded), a refund that the bank bounces takes the order back to where its parcel is, and a parcel that was booked
 * by mistake is taken back a moment later (shipped -> completed).
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

/** Whether the shop holds, or once held, money for an order in this state. */
export function isPaid(status: OrderStatus): boolean {
  return status !== "pending" && status !== "cancelled";
}

/**
 * The state that refunds and lost disputes put a paid order in: by what was taken back so far, and where the parcel is when nothing was.
 * `wasCompleted` is false for an order whose late payment could not be honoured: without its refund it is cancelled.
 */
export function statusAfterRefunds(order: {
  /** What its buyer paid in all: the total without what edits exchanged. */
  payableCents: number;
  refundedCents: number;
  chargedBackCents: number;
  wasCompleted: boolean;
  shippedAt: Date | null;
  deliveredAt: Date | null;
}): OrderStatus {
  const takenBackCents = order.refundedCents + order.chargedBackCents;
  if (takenBackCents >= order.payableCents) return "refunded";
  if (!order.wasCompleted) return "cancelled";
  if (takenBackCents > 0) return "partially_refunded";
  if (order.deliveredAt) return "delivered";
  return order.shippedAt ? "shipped" : "completed";
}

/**
 * "partially_refunded" -> "Partially refunded". The API's `completed` is about the payment: people wait for the parcel. Its
 * `cancelled` is an order that ended unpaid; people call that cancelled which was paid before (`cancelledAt`).
 */
export function orderStatusLabel(status: string): string {
  if (status === "completed") return "Paid, being prepared";
  // What was paid and then cancelled has another state: its refund's.
  if (status === "cancelled") return "Never paid";
  const words = status.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Badge color in the shopper's lists: completed green, pending yellow, any other blue. */
export function orderStatusTone(status: string): "success" | "warning" | "info" {
  return status === "completed" ? "success" : status === "pending" ? "warning" : "info";
}
