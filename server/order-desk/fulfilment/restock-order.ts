import type { Restock } from "../../../domain/orders/admin-order.ts";
import type { ShopContext } from "../../context.ts";
import { lockOrder } from "../../orders/lifecycle.ts";
import { bookRestock, type RestockableUnits, restockableUnits } from "../../orders/restock.ts";

/** Restocks units without a refund, which was made before or in another account. Null: no such order. */
export async function restockOrder(
  { db, now }: ShopContext,
  orderId: string,
  request: Restock,
): Promise<RestockableUnits | { ok: false; reason: string } | null> {
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order) return null;
    const restockable = await restockableUnits(tx, order, request);
    if (!restockable.ok) return restockable;
    if (restockable.units.length === 0) {
      return { ok: false, reason: "Nothing of this order is left to come back to the shelf." };
    }
    await bookRestock(tx, order, restockable.units, now());
    return restockable;
  });
}
