import { isDeepStrictEqual } from "node:util";
import { eq } from "drizzle-orm";
import type { NewProduct, ProductChange } from "../../domain/catalog/product-admin.ts";
import type { WritingContext } from "../context.ts";
import { setAvailableUnits } from "../inventory/adjust.ts";
import { createStock } from "../inventory/commands.ts";
import { lockFamilies, renameFamily } from "./families/families.ts";
import {
  definedFields,
  type EditRefusal,
  EditRefused,
  editInTransaction,
  lockProduct,
  type ProductEdit,
  slugTaken,
} from "./product-edit.ts";
import { findUnusedSlug, isSlugTaken, moveSlug } from "./slugs.ts";
import { products } from "./tables.ts";

const archivedRefusal: EditRefusal = {
  ok: false,
  reason: "invalid",
  fields: { published: "It is archived. Restore it first" },
};
const noPriceRefusal: EditRefusal = {
  ok: false,
  reason: "invalid",
  fields: { published: "Give it a price above 0 first" },
};

export async function createProduct(
  { db, now }: WritingContext,
  { price, stock = 0, slug: requestedSlug, ...fields }: NewProduct,
): Promise<ProductEdit | EditRefusal> {
  if (fields.published && price === 0) return noPriceRefusal;
  return editInTransaction(db, async (tx) => {
    const slug = requestedSlug ?? (await findUnusedSlug(tx, fields.name));
    const at = now();
    const [row] = await tx
      .insert(products)
      .values({
        ...defaultTexts,
        ...definedFields(fields),
        slug,
        priceCents: price,
        createdAt: at,
        updatedAt: at,
      })
      .returning({ id: products.id });
    if (!row) throw new Error("the insert returned no product");
    if (await isSlugTaken(tx, slug, row.id)) throw new EditRefused(slugTaken);
    await createStock(tx, row.id, stock);
    const after = { ...fields, slug, price, stock };
    return { ok: true, productId: row.id, name: fields.name, before: {}, after };
  });
}

/** Writes only the fields that differ. Locks the stock row last, because every order of the product waits for it. */
export async function changeProduct(
  { db, now }: WritingContext,
  { productId, revision, stock, ...fields }: ProductChange & { productId: number },
): Promise<ProductEdit | EditRefusal> {
  return editInTransaction(db, async (tx) => {
    if (fields.name !== undefined) await lockFamilies(tx);
    const row = await lockProduct(tx, productId, revision);
    const { before, after } = differences(row, fields);
    if (typeof after.name === "string" && row.familyId !== null) {
      // The name belongs to the family; a trigger appends the size.
      const rename = await renameFamily(tx, row, { name: after.name, size: fields.size ?? row.size });
      delete before.name;
      delete after.name;
      if (rename) {
        before.name = rename.before;
        after.name = rename.after;
      }
    }
    if (fields.published && row.archivedAt !== null) throw new EditRefused(archivedRefusal);
    if (fields.published && !row.published && row.priceCents === 0) throw new EditRefused(noPriceRefusal);
    if (Object.keys(after).length > 0) {
      await tx
        .update(products)
        .set({ ...after, revision: row.revision + 1, updatedAt: now() })
        .where(eq(products.id, productId));
    }
    if (typeof after.slug === "string") {
      if (await isSlugTaken(tx, after.slug, productId)) throw new EditRefused(slugTaken);
      await moveSlug(tx, { productId, from: row.slug, to: after.slug, now: now() });
    }
    if (stock !== undefined) {
      const result = await setAvailableUnits(tx, productId, stock);
      if (!result) throw new Error("a product has no stock row");
      if (!result.ok) throw new EditRefused({ ok: false, reason: "impossible", message: result.reason });
      if (result.before !== result.after) {
        before.onHand = result.before;
        after.onHand = result.after;
      }
    }
    return { ok: true, productId, name: row.name, before, after };
  });
}

/** `price` in cents. */
export async function changePrice(
  { db, now }: WritingContext,
  { productId, price, revision }: { productId: number; price: number; revision?: number | undefined },
): Promise<ProductEdit | EditRefusal> {
  return editInTransaction(db, async (tx) => {
    const row = await lockProduct(tx, productId, revision);
    const edit = { ok: true, productId, name: row.name } as const;
    if (row.priceCents === price) return { ...edit, before: {}, after: {} };
    await tx
      .update(products)
      .set({ priceCents: price, revision: row.revision + 1, updatedAt: now() })
      .where(eq(products.id, productId));
    return { ...edit, before: { price: row.priceCents }, after: { price } };
  });
}

const defaultTexts = { size: "", shortDescription: "", description: "" };

function differences(row: typeof products.$inferSelect, fields: Omit<ProductChange, "stock" | "revision">) {
  const before: Record<string, unknown> = {};
  const after: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    const current = row[key as keyof typeof fields];
    if (value === undefined || isDeepStrictEqual(current, value)) continue;
    before[key] = current;
    after[key] = value;
  }
  return { before, after };
}
