import type { ShopContext } from "../context.ts";
import { raiseIssue } from "../issues/issues.ts";

/** Raises an issue for a payment that names an order which the shop does not have. */
export async function raiseMissingOrder(
  ctx: ShopContext,
  { intentId, orderId }: { intentId: string; orderId: string | null },
): Promise<void> {
  await ctx.db.transaction((tx) =>
    raiseIssue(tx, {
      kind: "missing_order",
      subject: intentId,
      message: `Payment ${intentId} names order ${orderId}, which the shop does not have`,
    }),
  );
}
