import type { Order } from "../../../domain/orders/order.ts";

/** Money that is or is being refunded, without refunds of payments that came too late. */
export function refundedCents({ refunds }: Pick<Order, "refunds">): number {
  return refunds
    .filter(({ status, tooLate }) => status !== "failed" && !tooLate)
    .reduce((sum, { amount }) => sum + amount, 0);
}
