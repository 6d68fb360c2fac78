import { and, asc, inArray, lte } from "drizzle-orm";
import type { Feature } from "../feature.ts";
import type { Person, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { cartApi } from "./api.ts";
import { purgeCarts } from "./commands.ts";
import { cartItems } from "./tables.ts";

export const cartFeature = {
  api: cartApi,
  purges: [purgeCarts],
  personalData: { lists: { carts: exportCarts }, erase: eraseCarts },
} satisfies Feature;

async function exportCarts(db: Db, { visitorIds }: Person, limit: number) {
  return db
    .select({ productId: cartItems.productId, quantity: cartItems.quantity, addedAt: cartItems.addedAt })
    .from(cartItems)
    .where(inArray(cartItems.visitorId, visitorIds))
    .orderBy(asc(cartItems.addedAt), asc(cartItems.visitorId), asc(cartItems.productId))
    .limit(limit);
}

/** Deletes cart lines of these browsers added until a time. */
async function eraseCarts(tx: Db, { visitorIds, until }: PersonToErase): Promise<void> {
  await tx
    .delete(cartItems)
    .where(and(inArray(cartItems.visitorId, visitorIds), lte(cartItems.addedAt, until)));
}
