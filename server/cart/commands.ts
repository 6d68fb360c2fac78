import { createHmac } from "node:crypto";
import { and, eq, gt, sql } from "drizzle-orm";
import { maxCartLines, maxQuantity } from "../../domain/cart/cart-limits.ts";
import { cartDays } from "../../domain/privacy/retention.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { batchRows, inBatches } from "../platform/database/in-batches.ts";
import { networkPrefix } from "../platform/http/client-address.ts";
import type { VisitorId } from "../platform/http/viewer.ts";
import { rememberCartVisitor } from "../visitors/commands.ts";
import { visitors } from "../visitors/tables.ts";
import { cartItems } from "./tables.ts";

type AddResult = { ok: true } | { ok: false; reason: "unknown_product" | "cart_full" };

/** Keyed hash of the caller's network, which limits the number of carts per network. */
export function hashedNetwork({ secret }: ShopContext, address: string): Buffer {
  return createHmac("sha256", secret)
    .update(`network:${networkPrefix(address)}`)
    .digest();
}

/**
 * Adds units of a published product, up to the maximum of a line. The units of Buy Now replace the units of an earlier Buy Now if
 * the cart has not changed since. `afterBuyNow` computes the same in the browser.
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
    // Locks the visitor, so that the second of two concurrent calls counts the line of the first one.
    await rememberCartVisitor(tx, { ...input, now });
    const cartProductIds = await readCartProductIds(tx, visitorId);
    if (cartProductIds.size >= maxCartLines && !cartProductIds.has(productId)) {
      return { ok: false, reason: "cart_full" };
    }
    if (!buyNow) await resetBuyNow(tx, visitorId);
    const otherUnits = sql`${cartItems.quantity} - ${cartItems.buyNowUnits}`;
    const total = sql`least(${maxQuantity}, ${otherUnits} + excluded.quantity)`;
    await tx
      .insert(cartItems)
      .values({ visitorId, productId, quantity, buyNowUnits: buyNow ? quantity : 0, addedAt: now })
      .onConflictDoUpdate({
        target: [cartItems.visitorId, cartItems.productId],
        set: { quantity: total, buyNowUnits: buyNow ? sql`${total} - (${otherUnits})` : 0 },
      });
    return { ok: true };
  });
}

/**
 * Raises the quantities in a cart to at least the quantities of `items`, so a second call changes nothing. The caller has checked
 * that the products are published. New lines are dropped when the cart is full.
 */
export async function fillCart(
  { db, now: clock }: ShopContext,
  input: { visitorId: VisitorId; network: Buffer; items: readonly { productId: number; quantity: number }[] },
): Promise<void> {
  const { visitorId, items } = input;
  if (items.length === 0) return;
  const now = clock();
  await db.transaction(async (tx) => {
    await rememberCartVisitor(tx, { ...input, now });
    const cartProductIds = await readCartProductIds(tx, visitorId);
    const newItems = items.filter(({ productId }) => !cartProductIds.has(productId));
    const addedProductIds = new Set(
      newItems.slice(0, maxCartLines - cartProductIds.size).map(({ productId }) => productId),
    );
    const values = items
      .filter(({ productId }) => cartProductIds.has(productId) || addedProductIds.has(productId))
      .map(({ productId, quantity }) => ({ visitorId, productId, quantity, addedAt: now }));
    if (values.length === 0) return;
    await resetBuyNow(tx, visitorId);
    await tx
      .insert(cartItems)
      .values(values)
      .onConflictDoUpdate({
        target: [cartItems.visitorId, cartItems.productId],
        set: { quantity: sql`greatest(${cartItems.quantity}, excluded.quantity)` },
      });
  });
}

async function readCartProductIds(tx: Db, visitorId: VisitorId): Promise<Set<number>> {
  return new Set((await readCart(tx, visitorId)).map(({ productId }) => productId));
}

export async function removeFromCart(db: Db, visitorId: VisitorId, productId: number): Promise<void> {
  await db
    .delete(cartItems)
    .where(and(eq(cartItems.visitorId, visitorId), eq(cartItems.productId, productId)));
  await resetBuyNow(db, visitorId);
}

/** Sets the quantity of an existing line. */
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

/** Called on every edit of the cart except Buy Now, so that the next Buy Now adds its units instead of replacing any. */
async function resetBuyNow(db: Db, visitorId: VisitorId): Promise<void> {
  await db
    .update(cartItems)
    .set({ buyNowUnits: 0 })
    .where(and(eq(cartItems.visitorId, visitorId), gt(cartItems.buyNowUnits, 0)));
}

export async function clearCart(db: Db, visitorId: VisitorId): Promise<void> {
  await db.delete(cartItems).where(eq(cartItems.visitorId, visitorId));
}

/** Deletes the carts of visitors not seen for `cartDays`. */
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
