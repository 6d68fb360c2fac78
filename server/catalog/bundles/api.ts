import { and, asc, eq } from "drizzle-orm";
import * as v from "valibot";
import {
  type BundleFields,
  bundleFieldsSchema,
  bundleQuantityText,
  type ProductBundle,
  productBundleSchema,
} from "../../../domain/catalog/bundle-form.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { dataEnvelope, ok, okOrNotFound, route } from "../../api-row.ts";
import type { ShopContext } from "../../context.ts";
import type { Db } from "../../platform/database/database.ts";
import type { LoggedChange } from "../../platform/http/api-response.ts";
import { idParams, numericId } from "../../platform/http/params.ts";
import { notFoundProblem } from "../../platform/http/problem.ts";
import { productBundles, products } from "../tables.ts";

const shared = { tag: "Catalogue", access: "admin", roles: ["staff"] } as const;
const params = v.object({ id: numericId, quantity: bundleQuantityText });

/** Prices for several units of a product. A cart line is priced by the cheapest combination of bundles and single units. */
export const bundlesApi = [
  route("GET /api/admin/products/:id/bundles", {
    ...shared,
    summary: "A product’s bundles, offered or not, the smallest first",
    params: idParams,
    response: dataEnvelope(v.array(productBundleSchema)),
    responses: { 200: "A list of bundles; `price` in cents", 404: "There is no such product" },
    handle: async ({ db }, { params }) => okOrNotFound("product", await listBundles(db, params.id)),
  }),
  route("PUT /api/admin/products/:id/bundles/:quantity", {
    ...shared,
    summary: "Offer a number of units at a bundle price, in cents, or stop offering it",
    params,
    body: bundleFieldsSchema,
    response: dataEnvelope(productBundleSchema),
    responses: {
      200: "The bundle; orders placed before keep their amounts",
      404: "There is no such product",
    },
    handle: async (ctx, { params, body, log }) => {
      const result = await setBundle(ctx, { productId: params.id, quantity: params.quantity, ...body });
      if (!result) return notFoundProblem("product");
      log(describe(result, params.quantity));
      return ok(result.after);
    },
  }),
  route("DELETE /api/admin/products/:id/bundles/:quantity", {
    ...shared,
    summary: "Remove a bundle",
    params,
    response: dataEnvelope(v.null()),
    responses: {
      200: "The bundle no longer exists; orders placed with it keep their amounts",
      404: "There is no such product",
    },
    handle: async (ctx, { params, log }) => {
      const result = await removeBundle(ctx, { productId: params.id, quantity: params.quantity });
      if (!result) return notFoundProblem("product");
      log(describe(result, params.quantity));
      return ok(null);
    },
  }),
];

/** "3 × Pure Batana Oil: bundle $79.00 → $75.00" */
function describe(
  { product, before, after }: NonNullable<BundleResult<ProductBundle | null>>,
  quantity: number,
): LoggedChange {
  return {
    subject: `product:${product.id}`,
    summary: `${quantity} × ${product.name}: ${describePrice(before, after)}`,
    ...(before ? { before } : {}),
    ...(after ? { after } : {}),
  };
}

function describePrice(before: ProductBundle | null, after: ProductBundle | null): string {
  if (!after) return before ? "bundle removed" : "there was no such bundle";
  const price = formatCents(after.price);
  if (!before) return `bundle for ${price} added${after.active ? "" : ", not on offer"}`;
  const isPriceSame = before.price === after.price;
  const change = isPriceSame ? price : `${formatCents(before.price)} → ${price}`;
  if (before.active === after.active) return `bundle ${isPriceSame ? "stays" : "now"} ${change}`;
  return `bundle for ${change} ${after.active ? "on" : "no longer on"} offer`;
}

type BundleKey = { productId: number; quantity: number };
/** Null if there is no such product; `before` is null if there was no such bundle. */
type BundleResult<After> = {
  product: { id: number; name: string };
  before: ProductBundle | null;
  after: After;
} | null;

/** All bundles of a product, active or not, the smallest first; null if there is no such product. */
async function listBundles(db: Db, productId: number): Promise<ProductBundle[] | null> {
  const [product] = await db.select({ id: products.id }).from(products).where(eq(products.id, productId));
  if (!product) return null;
  return db
    .select(bundleColumns)
    .from(productBundles)
    .where(eq(productBundles.productId, productId))
    .orderBy(asc(productBundles.quantity));
}

/** Creates or updates the bundle of `quantity` units. `price` in cents. */
async function setBundle(
  { db, now }: ShopContext,
  { productId, quantity, price, active }: BundleKey & BundleFields,
): Promise<BundleResult<ProductBundle>> {
  return db.transaction(async (tx) => {
    const product = await lockProduct(tx, productId);
    if (!product) return null;
    const before = await findBundle(tx, { productId, quantity });
    const after = { quantity, price, active: active ?? before?.active ?? true };
    const columns = { priceCents: after.price, active: after.active, updatedAt: now() };
    await tx
      .insert(productBundles)
      .values({ productId, quantity, ...columns })
      .onConflictDoUpdate({ target: [productBundles.productId, productBundles.quantity], set: columns });
    return { product, before, after };
  });
}

/** Placed orders keep their prices. Succeeds if there is no such bundle. */
async function removeBundle(
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

/** Serializes edits of one product's bundles, so that each logs the values it replaced. */
async function lockProduct(tx: Db, productId: number) {
  const [product = null] = await tx
    .select({ id: products.id, name: products.name })
    .from(products)
    .where(eq(products.id, productId))
    .for("no key update");
  return product;
}
