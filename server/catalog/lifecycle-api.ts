import { count, eq, inArray, sql } from "drizzle-orm";
import * as v from "valibot";
import { adminProductSchema, archivedSchema, productLimits } from "../../domain/catalog/product-admin.ts";
import { created, dataEnvelope, ok, route } from "../api-row.ts";
import type { ShopContext, WritingContext } from "../context.ts";
import { discounts } from "../discounts/tables.ts";
import { orderDrafts } from "../drafts/tables.ts";
import { createStock, deleteStock } from "../inventory/commands.ts";
import { batches } from "../inventory/tables.ts";
import { orderEdits } from "../order-desk/tables.ts";
import { orderLines } from "../orders/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { idParams } from "../platform/http/params.ts";
import { notFoundProblem, problem } from "../platform/http/problem.ts";
import { questions } from "../questions/tables.ts";
import { reviews } from "../reviews/tables.ts";
import { findAdminProduct } from "./admin-queries.ts";
import { endFamily, lockFamilies } from "./families/families.ts";
import { copyPictures } from "./pictures/copy.ts";
import { findUnusedSlug } from "./slugs.ts";
import { pictureOriginals, productBundles, productImages, products } from "./tables.ts";

const shared = {
  tag: "Catalogue",
  access: "admin",
  roles: ["staff"],
  params: idParams,
} as const;

/** Duplicating, archiving and deleting products. */
export const productLifecycleApi = [
  route("POST /api/admin/products/:id/duplicate", {
    ...shared,
    summary: "Copy a product; the copy is unpublished and has no stock",
    response: dataEnvelope(adminProductSchema),
    responses: { 201: "The new product", 404: "There is no such product" },
    handle: async (ctx, { params, log }) => {
      const copy = await duplicateProduct(ctx, params.id);
      const product = copy && (await findAdminProduct(ctx.db, copy.productId));
      if (!copy || !product) return notFoundProblem("product");
      log({ subject: `product:${copy.productId}`, summary: `${copy.name} added as a copy of ${copy.from}` });
      return created(product);
    },
  }),
  route("PUT /api/admin/products/:id/archived", {
    ...shared,
    summary: "Archive a product, which also unpublishes it, or restore it unpublished",
    body: archivedSchema,
    response: dataEnvelope(adminProductSchema),
    responses: { 200: "The product", 404: "There is no such product" },
    handle: async (ctx, { params, body: { archived }, log }) => {
      const result = await setArchived(ctx, { productId: params.id, archived });
      const product = result && (await findAdminProduct(ctx.db, params.id));
      if (!result || !product) return notFoundProblem("product");
      const what = archived ? "archived" : "restored from the archive";
      log({
        summary: `${result.name} ${result.isChanged ? what : "left unchanged"}`,
        after: { archived },
      });
      return ok(product);
    },
  }),
  route("DELETE /api/admin/products/:id", {
    ...shared,
    summary:
      "Delete a product that was never ordered, reviewed, asked about or received in batches, and that no discount is for",
    response: dataEnvelope(v.null()),
    responses: {
      200: "Deleted",
      404: "There is no such product",
      409: "`invalid_state`: something refers to it, as the message says, or it is published",
    },
    handle: async (ctx, { params, log }) => {
      const result = await deleteProduct(ctx, params.id);
      if (!result) return notFoundProblem("product");
      if (!result.ok) return problem("invalid_state", result.message);
      log(`${result.name} deleted`);
      return ok(null);
    },
  }),
];

/**
 * Copies a product, unpublished, with its texts, pictures, price and bundles, but without the data that belongs to one product:
 * stock, slug, SKU, bar code, part number and reviews. Null if there is no such product.
 */
async function duplicateProduct(
  { db, now }: ShopContext,
  productId: number,
): Promise<{ productId: number; name: string; from: string } | null> {
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(products).where(eq(products.id, productId));
    if (!row) return null;
    const { id: _, viewCount: _views, revision: _revision, ...copiedFields } = row;
    const ending = " (copy)";
    const name = row.name.slice(0, productLimits.name - ending.length) + ending;
    const resetFields = {
      sku: null,
      gtin: null,
      mpn: null,
      familyId: null,
      familyPosition: null,
      isBestseller: false,
      published: false,
      archivedAt: null,
    };
    const timestamps = { createdAt: now(), updatedAt: now() };
    const [copy] = await tx
      .insert(products)
      .values({
        ...copiedFields,
        ...resetFields,
        ...timestamps,
        name,
        slug: await findUnusedSlug(tx, row.name),
      })
      .returning({ id: products.id });
    if (!copy) throw new Error("the insert returned no product");
    await createStock(tx, copy.id, 0);
    const bundles = await tx.select().from(productBundles).where(eq(productBundles.productId, productId));
    if (bundles.length > 0)
      await tx.insert(productBundles).values(bundles.map((bundle) => ({ ...bundle, productId: copy.id })));
    await copyPictures(tx, { from: productId, to: copy.id, now: now() });
    return { productId: copy.id, name, from: row.name };
  });
}

/** Archives a product, which unpublishes it, or restores it unpublished. Null if there is no such product. */
async function setArchived(
  { db, now }: ShopContext,
  { productId, archived }: { productId: number; archived: boolean },
): Promise<{ name: string; isChanged: boolean } | null> {
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(products).where(eq(products.id, productId)).for("no key update");
    if (!row) return null;
    const isChanged = (row.archivedAt !== null) !== archived;
    if (isChanged) {
      await tx
        .update(products)
        .set({
          archivedAt: archived ? now() : null,
          published: false,
          revision: row.revision + 1,
          updatedAt: now(),
        })
        .where(eq(products.id, productId));
    }
    return { name: row.name, isChanged };
  });
}

/**
 * Deletes an unpublished product without references (a published one could just be getting its first order).
 * Otherwise `message` names the obstacle. Null if there is no such product.
 */
export async function deleteProduct(
  { db, now }: WritingContext,
  productId: number,
): Promise<{ ok: true; name: string } | { ok: false; message: string } | null> {
  return db.transaction(async (tx) => {
    await lockFamilies(tx);
    // A transaction that inserts a reference waits for this lock and then fails.
    const [row] = await tx.select().from(products).where(eq(products.id, productId)).for("update");
    if (!row) return null;
    const references = await listReferences(tx, productId);
    if (references.length > 0) {
      const list = new Intl.ListFormat("en-US").format(references);
      return { ok: false, message: `${row.name} has ${list}, so it is kept. Archive it instead.` };
    }
    if (row.published) return { ok: false, message: `${row.name} is published. Hide it first.` };
    const files = tx
      .select({ file: productImages.file })
      .from(productImages)
      .where(eq(productImages.productId, productId));
    await tx.update(pictureOriginals).set({ retiredAt: now() }).where(inArray(pictureOriginals.file, files));
    await deleteStock(tx, productId);
    await tx.delete(products).where(eq(products.id, productId));
    if (row.familyId !== null) await endFamily(tx, row.familyId, now());
    return { ok: true, name: row.name };
  });
}

/** "3 orders", "1 review": how many rows refer to the product, which must therefore be kept. */
async function listReferences(tx: Db, productId: number): Promise<string[]> {
  const counts: string[] = [];
  const itemOfProduct = JSON.stringify([{ productId }]);
  for (const [table, noun, refersToIt] of [
    [orderLines, "order", eq(orderLines.productId, productId)],
    [orderDrafts, "draft order", sql`${orderDrafts.items} @> ${itemOfProduct}::jsonb`],
    [
      orderEdits,
      "unpaid change of an order",
      sql`${orderEdits.status} = 'waiting' and ${orderEdits.after} -> 'lines' @> ${itemOfProduct}::jsonb`,
    ],
    [reviews, "review", eq(reviews.productId, productId)],
    [questions, "question", eq(questions.productId, productId)],
    [batches, "batch", eq(batches.productId, productId)],
    [discounts, "discount", sql`${productId} = any(${discounts.productIds})`],
  ] as const) {
    const [row] = await tx.select({ rows: count() }).from(table).where(refersToIt);
    const rows = row?.rows ?? 0;
    if (rows > 0) counts.push(rows === 1 ? `1 ${noun}` : `${rows.toLocaleString("en-US")} ${plural(noun)}`);
  }
  return counts;
}

function plural(noun: string): string {
  if (noun === "batch") return "batches";
  return noun.startsWith("unpaid change") ? "unpaid changes of orders" : `${noun}s`;
}
