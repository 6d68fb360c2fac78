import type { Order } from "../../domain/orders/order.ts";
import { type OrderActions, orderActions } from "../../domain/orders/order-actions.ts";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { ShopSettings } from "../../domain/settings/settings.ts";
import type { Database, Db } from "../platform/database.ts";
import { type LockedOrder, lockOrder } from "./lifecycle.ts";
import type { OrderNews } from "./news.ts";
import { findOrder } from "./queries.ts";

/** What the commands of buyers and of the owner on an order work with. */
export type OrderActionParts = {
  db: Database;
  now(): Date;
  /** Inside a transaction, which passes itself, they need no other connection. */
  settings(tx?: Db): Promise<ShopSettings>;
  news: OrderNews;
  /** The shop's mode of payment. */
  provider: { readonly mode: PaymentMode };
};

/** `reason` is a sentence for whoever asked. */
export type ActionResult = { ok: true } | { ok: false; reason: string };

export function refused(reason: string): ActionResult {
  return { ok: false, reason };
}

/** An order as it is, its row locked, with what its buyer may do with it. Null: there is none. */
export async function lockForAction(
  tx: Db,
  parts: OrderActionParts,
  orderId: string,
): Promise<{ locked: LockedOrder; order: Order; may: OrderActions } | null> {
  const locked = await lockOrder(tx, orderId);
  const order = locked && (await findOrder(tx, orderId));
  return order && { locked, order, may: orderActions(order, await parts.settings(tx), parts.now()) };
}
