import type { Order } from "../../domain/orders/order.ts";
import { type OrderActions, orderActions } from "../../domain/orders/order-actions.ts";
import type { ShopContext } from "../context.ts";
import { type LockedOrder, lockOrder } from "../orders/lifecycle.ts";
import { findOrder } from "../orders/queries.ts";
import type { Db } from "../platform/database/database.ts";

/** `reason` is a sentence for the caller. */
export type ActionResult = { ok: true } | { ok: false; reason: string };

export function refused(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}

/** Locks an order's row and reads the order and its buyer's possible actions. Null: no such order. */
export async function lockForAction(
  ctx: ShopContext,
  tx: Db,
  orderId: string,
): Promise<{ locked: LockedOrder; order: Order; may: OrderActions } | null> {
  const locked = await lockOrder(tx, orderId);
  const order = locked && (await findOrder(tx, orderId));
  return order && { locked, order, may: orderActions(order, await ctx.settings(tx), ctx.now()) };
}
