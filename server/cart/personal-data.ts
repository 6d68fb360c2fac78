import { and, asc, inArray, lte } from "drizzle-orm";
import type { Person, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { cartItems } from "./tables.ts";

export async function exportCarts(db: Db, { visitorIds }: Person, limit: number) {
  return db
    .select({ productId: cartItems.productId, quantity: cartItems.quantity, addedAt: cartItems.addedAt })
    .from(cartItems)
    .where(inArray(cartItems.visitorId, visitorIds))
    .orderBy(asc(cartItems.addedAt), asc(cartItems.visitorId), asc(cartItems.productId))
    .limit(limit);
}

/** Deletes cart lines of these browsers added until a time. */
export async function eraseCarts(tx: Db, { visitorIds, until }: PersonToErase): Promise<void> {
  await tx
    .delete(cartItems)
    .where(and(inArray(cartItems.visitorId, visitorIds), lte(cartItems.addedAt, until)));
}
