import type { Order } from "../../../domain/orders/order.ts";

/** Refunds that are on their way count. */
export function givenBackCents({ refunds }: Pick<Order, "refunds">): number {
  return refunds.filter(({ status }) => status !== "failed").reduce((sum, { amount }) => sum + amount, 0);
}
