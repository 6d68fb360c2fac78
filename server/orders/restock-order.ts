import type { Restock } from "../../domain/orders/admin-order.ts";
import type { Database } from "../platform/database.ts";
import { putBack, type UnitsBack, unitsBack } from "./fulfilment/restock.ts";
import { lockOrder } from "./lifecycle.ts";

/** The owner puts units back without giving money back: it was given before, or elsewhere. Null: there is no such order. */
export async function restockOrder(
  { db, now }: { db: Database; now(): Date },
  orderId: string,
  wanted: Restock,
): Promise<UnitsBack | { ok: false; reason: string } | null> {
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order) return null;
    const back = await unitsBack(tx, order, wanted);
    if (!back.ok) return back;
    if (back.units.length === 0) {
      return { ok: false, reason: "Nothing of this order is left to come back to the shelf." };
    }
    await putBack(tx, order, back.units, now());
    return back;
  });
}
