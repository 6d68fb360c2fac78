import type { ShopContext } from "../server/context.ts";
import { lockOrder } from "../server/orders/lifecycle.ts";
import {
  type RefundRequest,
  type RefundResult,
  refundLockedOrder,
} from "../server/payments/refunds/refunds.ts";

/** Requests a refund like the commands that end an order: recorded under the order's lock, sent later by a job. */
export async function requestRefund(
  ctx: ShopContext,
  refund: Omit<RefundRequest, "from">,
): Promise<RefundResult> {
  return ctx.db.transaction(async (tx) => {
    if (!(await lockOrder(tx, refund.orderId))) throw new Error(`There is no order ${refund.orderId}`);
    return refundLockedOrder(ctx, tx, { ...refund, from: "reachable" });
  });
}
