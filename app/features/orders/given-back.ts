import type { Order } from "../../../domain/orders/order.ts";

/** What goes back of the order's own money; refunds that are on their way count. */
export function givenBackCents({ refunds }: Pick<Order, "refunds">): number {
  return refunds
    .filter(({ status, tooLate }) => status !== "failed" && !tooLate)
    .reduce((sum, { amount }) => sum + amount, 0);
}
