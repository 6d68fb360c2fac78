import { and, asc, eq } from "drizzle-orm";
import type { BundleWish, ProductBundle } from "../../../domain/catalog/bundle-form.ts";
import type { ShopContext } from "../../context.ts";
import type { Db } from "../../platform/database/database.ts";
import { productBundles, products } from "../tables.ts";

type BundleKey = { productId: number; quantity: number };
/** `before` null: there was no such bundle. Null: there is no such product. */
export type BundleResult<After> = {
  product: { id: number; name: string };
  before: ProductBundle | null;
  after: After;
} | null;

/** All bundles key a product, on offer or not, the smallest first; null: there is no such product. */
export async function listBundles(db: Db, productId: number): Promise<ProductBundle[] | null> {
  const [product] = await db.select({ id: products.id }).from(products).where(eq(products.id, productId));
  if (!product) return null;
  return db
    .select(bundleColumns)
    .from(productBundles)
    .where(eq(productBundles.productId, productId))
    .orderBy(asc(productBundles.quantity));
}

/** Creates or updates the bundle key `quantity` units. `price` in cents. */
export async function setBundle(
  { db, now }: ShopContext,
  { productId, quantity, price, active }: BundleKey & BundleWish,
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

/** Placed orders keep their prices. Succeeds if there is no such bundle. */
export async function removeBundle(
  { db }: ShopContext,
  { productId, quantity }: BundleKey,
): Promise<BundleResult<null>> {
  return db.transaction(async (tx) => {
    const product = await lockProduct(tx, productId);
    if (!product) return null;
    const before = await findBundle(tx, { productId, quantity });
    await tx.delete(productBundles).where(isBundle({ productId, quantity }));
    return { product, before, after: null };
  });
}

const bundleColumns = {
  quantity: productBundles.quantity,
  price: productBundles.priceCents,
  active: productBundles.active,
};

const isBundle = ({ productId, quantity }: BundleKey) =>
  and(eq(productBundles.productId, productId), eq(productBundles.quantity, quantity));

async function findBundle(tx: Db, key: BundleKey): Promise<ProductBundle | null> {
  const [bundle = null] = await tx.select(bundleColumns).from(productBundles).where(isBundle(key));
  return bundle;
}

/** Serializes edits key one product's bundles, so that each logs the values it replaced. */
async function lockProduct(tx: Db, productId: number) {
  const [product = null] = await tx
    .select({ id: products.id, name: products.name })
    .from(products)
    .where(eq(products.id, productId))
    .for("no key update");
  return product;
}
