import { eq, sql } from "drizzle-orm";
import type { Order } from "../../domain/orders/order.ts";
import { type OrderActions, orderActions } from "../../domain/orders/order-actions.ts";
import type { ShopContext } from "../context.ts";
import { type LockedOrder, lockOrder } from "../orders/lifecycle.ts";
import { findOrder } from "../orders/queries.ts";
import { orderLines } from "../orders/tables.ts";
import type { Db } from "../platform/database/database.ts";

/** `reason` is a message for the caller. */
export type ActionResult = { ok: true } | { ok: false; reason: string };

export function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}

type Target = { locked: LockedOrder; order: Order; may: OrderActions };

/** Locks an order's row, and reads the order with the actions that its buyer may take. Null if there is no such order. */
export async function lockForAction(ctx: ShopContext, tx: Db, orderId: string): Promise<Target | null> {
  const locked = await lockOrder(tx, orderId);
  const order = locked && (await findOrder(tx, orderId));
  return order && { locked, order, may: orderActions(order, await ctx.settings(tx), ctx.now()) };
}

/** Runs `action` on a locked order, in one transaction. Null if there is no such order. */
export async function withLockedOrder<T>(
  ctx: ShopContext,
  orderId: string,
  action: (tx: Db, target: Target) => Promise<T>,
): Promise<T | null> {
  return ctx.db.transaction(async (tx) => {
    const target = await lockForAction(ctx, tx, orderId);
    return target && action(tx, target);
  });
}

export const orderNotFound = refuse("There is no such order.");

/** Reads the lines of an order with units left to ship. */
export async function readUnitsToShip(tx: Db, orderId: string) {
  const lines = await tx
    .select({ productId: orderLines.productId, name: orderLines.name, quantity: unitsToShip })
    .from(orderLines)
    .where(eq(orderLines.orderId, orderId))
    .orderBy(orderLines.position);
  return lines.filter(({ quantity }) => quantity > 0);
}

/** Units of an order line left to ship. */
export const unitsToShip = sql<number>`${orderLines.quantity} - ${orderLines.shippedQuantity} - ${orderLines.restockedUnshippedQuantity}`;
