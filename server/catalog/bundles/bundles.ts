import { and, asc, eq } from "drizzle-orm";
import type { BundleWish, ProductBundle } from "../../../domain/catalog/bundle-form.ts";
import type { ShopContext } from "../../context.ts";
import type { Db } from "../../platform/database/database.ts";
import { productBundles, products } from "../tables.ts";

type Of = { productId: number; quantity: number };
/** `before` null: it was not there. Null altogether: there is no such product. */
export type BundleResult<After> = {
  product: { id: number; name: string };
  before: ProductBundle | null;
  after: After;
} | null;

/** All bundles of a product, on offer or not, the smallest first; null: there is no such product. */
export async function listBundles(db: Db, productId: number): Promise<ProductBundle[] | null> {
  const [product] = await db.select({ id: products.id }).from(products).where(eq(products.id, productId));
  if (!product) return null;
  return db
    .select(shownColumns)
    .from(productBundles)
    .where(eq(productBundles.productId, productId))
    .orderBy(asc(productBundles.quantity));
}

/** Offers so many units at a price, or changes what they are offered at. `price` in cents. */
export async function setBundle(
  { db, now }: ShopContext,
  { productId, quantity, price, active }: Of & BundleWish,
): Promise<BundleResult<ProductBundle>> {
  return db.transaction(async (tx) => {
    const product = await lockProduct(tx, productId);
    if (!product) return null;
    const before = await findBundle(tx, { productId, quantity });
    const after = { quantity, price, active: active ?? before?.active ?? true };
    const changed = { priceCents: after.price, active: after.active, updatedAt: now() };
    await tx
      .insert(productBundles)
      .values({ productId, quantity, ...changed })
      .onConflictDoUpdate({ target: [productBundles.productId, productBundles.quantity], set: changed });
    return { product, before, after };
  });
}

/** Orders keep what they were priced by. A bundle that is gone already is as good as removed. */
export async function removeBundle(
  { db }: ShopContext,
  { productId, quantity }: Of,
): Promise<BundleResult<null>> {
  return db.transaction(async (tx) => {
    const product = await lockProduct(tx, productId);
    if (!product) return null;
    const before = await findBundle(tx, { productId, quantity });
    await tx.delete(productBundles).where(isBundle({ productId, quantity }));
    return { product, before, after: null };
  });
}

const shownColumns = {
  quantity: productBundles.quantity,
  price: productBundles.priceCents,
  active: productBundles.active,
};

const isBundle = ({ productId, quantity }: Of) =>
  and(eq(productBundles.productId, productId), eq(productBundles.quantity, quantity));

async function findBundle(tx: Db, of: Of): Promise<ProductBundle | null> {
  const [bundle = null] = await tx.select(shownColumns).from(productBundles).where(isBundle(of));
  return bundle;
}

/** Changes of one product wait for each other, so that what is written down of each is what it found. */
async function lockProduct(tx: Db, productId: number) {
  const [product = null] = await tx
    .select({ id: products.id, name: products.name })
    .from(products)
    .where(eq(products.id, productId))
    .for("no key update");
  return product;
}
