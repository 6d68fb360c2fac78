import type { Restock } from "../../../domain/orders/admin-order.ts";
import type { ShopContext } from "../../context.ts";
import { lockOrder } from "../../orders/lifecycle.ts";
import { bookRestock, type RestockableUnits, restockableUnits } from "../../orders/restock.ts";

/** The owner restocks units without a refund: there was one before, or in another account. Null: there is no such order. */
export async function restockOrder(
  { db, now }: ShopContext,
  orderId: string,
  wanted: Restock,
): Promise<RestockableUnits | { ok: false; reason: string } | null> {
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order) return null;
    const back = await restockableUnits(tx, order, wanted);
    if (!back.ok) return back;
    if (back.units.length === 0) {
      return { ok: false, reason: "Nothing of this order is left to come back to the shelf." };
    }
    await bookRestock(tx, order, back.units, now());
    return back;
  });
}
