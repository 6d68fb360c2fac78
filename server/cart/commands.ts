import { and, eq, gt, sql } from "drizzle-orm";
import { cartLinesMax, quantityMax } from "../../domain/cart/cart-limits.ts";
import { cartDays } from "../../domain/privacy/retention.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { batchRows, inBatches } from "../platform/database/in-batches.ts";
import type { VisitorId } from "../platform/http/viewer.ts";
import { rememberCartOf } from "../visitors/commands.ts";
import { visitors } from "../visitors/tables.ts";
import { cartItems } from "./tables.ts";

export type AddResult = { ok: true } | { ok: false; reason: "unknown_product" | "cart_full" };

/**
 * Adds units of a product on show; a line never grows past the most that one line may hold. Those of Buy Now take the
 * place of what it put there before, for as long as nothing else changes the cart: the rule of `afterBuyNow`, as SQL.
 */
export async function addToCart(
  { db, now: clock }: ShopContext,
  input: { visitorId: VisitorId; network: Buffer; productId: number; quantity: number; buyNow: boolean },
): Promise<AddResult> {
  const [product] = await db
    .select({ id: products.id })
    .from(products)
    .where(and(eq(products.id, input.productId), eq(products.published, true)));
  if (!product) return { ok: false, reason: "unknown_product" };
  const { visitorId, productId, quantity, buyNow } = input;
  const now = clock();
  return db.transaction(async (tx) => {
    // Holds the visitor until the end: of two calls at once the second counts the first one's line.
    await rememberCartOf(tx, { ...input, now });
    const lines = await tx
      .select({ productId: cartItems.productId })
      .from(cartItems)
      .where(eq(cartItems.visitorId, visitorId));
    if (lines.length >= cartLinesMax && !lines.some((line) => line.productId === productId)) {
      return { ok: false, reason: "cart_full" };
    }
    if (!buyNow) await forgetBuyNow(tx, visitorId);
    const others = sql`${cartItems.quantity} - ${cartItems.buyNowUnits}`;
    const total = sql`least(${quantityMax}, ${others} + excluded.quantity)`;
    await tx
      .insert(cartItems)
      .values({ visitorId, productId, quantity, buyNowUnits: buyNow ? quantity : 0, addedAt: now })
      .onConflictDoUpdate({
        target: [cartItems.visitorId, cartItems.productId],
        set: { quantity: total, buyNowUnits: buyNow ? sql`${total} - (${others})` : 0 },
      });
    return { ok: true };
  });
}

export async function removeFromCart(db: Db, visitorId: VisitorId, productId: number): Promise<void> {
  await db
    .delete(cartItems)
    .where(and(eq(cartItems.visitorId, visitorId), eq(cartItems.productId, productId)));
  await forgetBuyNow(db, visitorId);
}

/** Sets the units of a line that is there. */
export async function setInCart(
  db: Db,
  visitorId: VisitorId,
  { productId, quantity }: { productId: number; quantity: number },
): Promise<void> {
  const isLine = sql`${cartItems.productId} = ${productId}`;
  await db
    .update(cartItems)
    .set({
      quantity: sql`case when ${isLine} then ${quantity} else ${cartItems.quantity} end`,
      buyNowUnits: 0,
    })
    .where(eq(cartItems.visitorId, visitorId));
}

/** After any other change Buy Now adds again. */
async function forgetBuyNow(db: Db, visitorId: VisitorId): Promise<void> {
  await db
    .update(cartItems)
    .set({ buyNowUnits: 0 })
    .where(and(eq(cartItems.visitorId, visitorId), gt(cartItems.buyNowUnits, 0)));
}

export async function clearCart(db: Db, visitorId: VisitorId): Promise<void> {
  await db.delete(cartItems).where(eq(cartItems.visitorId, visitorId));
}

/** Empties carts that nobody has changed for long. */
export async function purgeCarts({ db, now }: ShopContext): Promise<void> {
  const before = new Date(now().getTime() - cartDays * 24 * 60 * 60 * 1000);
  await inBatches(async () => {
    const { rowCount } = await db.execute(sql`
      delete from ${cartItems} where ctid = any(array(
        select i.ctid from ${visitors} as v join ${cartItems} as i on i.visitor_id = v.id
        where v.seen_at < ${before.toISOString()} limit ${batchRows} for update of i skip locked))`);
    return rowCount ?? 0;
  });
}

/** The visitor's lines in the order they were added. */
export async function readCart(
  db: Db,
  visitorId: VisitorId,
): Promise<{ productId: number; quantity: number }[]> {
  return db
    .select({ productId: cartItems.productId, quantity: cartItems.quantity })
    .from(cartItems)
    .where(eq(cartItems.visitorId, visitorId))
    .orderBy(cartItems.addedAt, cartItems.productId);
}
