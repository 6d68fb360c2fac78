import { isDeepStrictEqual } from "node:util";
import { asc, eq, max, sql } from "drizzle-orm";
import { productLimits } from "../../../domain/catalog/product-admin.ts";
import type { NewSize } from "../../../domain/catalog/product-family.ts";
import { sizedName } from "../../../domain/catalog/size-name.ts";
import type { ShopContext, WritingContext } from "../../context.ts";
import { createStock } from "../../inventory/commands.ts";
import type { Db } from "../../platform/database/database.ts";
import { copyPictures } from "../pictures/copy.ts";
import {
  definedFields,
  type EditRefusal,
  EditRefused,
  editInTransaction,
  lockProduct,
  nameTooLong,
  type ProductEdit,
} from "../product-edit.ts";
import { findUnusedSlug } from "../slugs.ts";
import { productFamilies, products } from "../tables.ts";

type Row = typeof products.$inferSelect;

const missingSizeMessage = "Enter the size of this product first, in the form with its texts.";

/** Adds a size of a product with the product's texts. `price` in cents. */
export async function addSize(
  { db, now }: WritingContext,
  {
    productId,
    pictures,
    price,
    stock = 0,
    size,
    ...fields
  }: Omit<NewSize, "pictures"> & { productId: number; pictures?: boolean | undefined },
): Promise<ProductEdit | EditRefusal> {
  if (fields.published && price === 0)
    return { ok: false, reason: "invalid", fields: { price: "Enter a price above 0 to publish it" } };
  return editInTransaction(db, async (tx) => {
    await lockFamilies(tx);
    const row = await lockProduct(tx, productId, undefined);
    const family = await ensureFamily(tx, row, now());
    const name = sizedName({ name: family.name, size });
    if (name.length > productLimits.name) throw new EditRefused(nameTooLong("size"));
    const { id: _, viewCount: _views, revision: _revision, ...copiedFields } = row;
    const [addedProduct] = await tx
      .insert(products)
      .values({
        ...copiedFields,
        ...resetFields,
        ...definedFields(fields),
        name,
        size,
        slug: await findUnusedSlug(tx, name),
        priceCents: price,
        familyId: family.id,
        familyPosition: family.nextPosition,
        createdAt: now(),
        updatedAt: now(),
      })
      .returning({ id: products.id });
    if (!addedProduct) throw new Error("the insert returned no product");
    await createStock(tx, addedProduct.id, stock);
    if (pictures !== false) await copyPictures(tx, { from: productId, to: addedProduct.id, now: now() });
    return {
      ok: true,
      productId: addedProduct.id,
      name,
      before: {},
      after: { ...fields, size, price, stock },
    };
  });
}

/** Fields that are not copied to another size: unique ones, and those that differ by size. */
const resetFields = {
  sku: null,
  gtin: null,
  mpn: null,
  weightGrams: null,
  cost: null,
  compareAtPrice: null,
  isBestseller: false,
  published: false,
  archivedAt: null,
};

/** Sorts the sizes of a product. Refuses an `order` that does not list exactly the product's current sizes (`conflict`). */
export async function sortSizes(
  { db, now }: ShopContext,
  { productId, order }: { productId: number; order: readonly number[] },
): Promise<ProductEdit | EditRefusal> {
  return editInTransaction(db, async (tx) => {
    await lockFamilies(tx);
    const row = await lockProduct(tx, productId, undefined);
    const sizes = row.familyId === null ? [] : await readSizes(tx, row.familyId);
    const before = sizes.map(({ id }) => id);
    if (before.length !== order.length || before.some((id) => !order.includes(id)))
      throw new EditRefused({ ok: false, reason: "conflict" });
    for (const [position, id] of order.entries())
      await tx
        .update(products)
        .set({ familyPosition: position, updatedAt: now() })
        .where(eq(products.id, id));
    const sizesOf = (ids: readonly number[]) =>
      ids.map((id) => sizes.find((member) => member.id === id)?.size);
    return {
      ok: true,
      productId,
      name: row.name,
      before: { order: sizesOf(before) },
      after: { order: sizesOf(order) },
    };
  });
}

/** Copies the texts of this size to the product's other sizes; `changed` lists the sizes whose texts differed. */
export async function copyTexts(
  { db, now }: ShopContext,
  productId: number,
): Promise<{ ok: true; name: string; changed: string[] } | { ok: false }> {
  return db.transaction(async (tx) => {
    await lockFamilies(tx);
    const [source] = await tx.select().from(products).where(eq(products.id, productId));
    if (!source?.familyId) return { ok: false };
    const { shortDescription, description, benefits, usage, scent, lasts, videoUrl } = source;
    const texts = { shortDescription, description, benefits, usage, scent, lasts, videoUrl };
    const sizes = await tx
      .select()
      .from(products)
      .where(eq(products.familyId, source.familyId))
      .orderBy(asc(products.id))
      .for("no key update");
    const changed: string[] = [];
    for (const member of sizes) {
      if (isDeepStrictEqual({ ...member, ...texts }, member)) continue;
      await tx
        .update(products)
        .set({ ...texts, revision: member.revision + 1, updatedAt: now() })
        .where(eq(products.id, member.id));
      changed.push(member.size);
    }
    return { ok: true, name: source.name, changed };
  });
}

/** Makes a product a size of the product `to`; its new name is the family's name followed by its size. */
export async function joinFamily(
  { db, now }: ShopContext,
  { productId, to, size }: { productId: number; to: number; size?: string | undefined },
): Promise<ProductEdit | EditRefusal> {
  return editInTransaction(db, async (tx) => {
    await lockFamilies(tx);
    if (productId === to) throw impossibleEdit("A product cannot be a size of itself.");
    const row = await lockProduct(tx, productId, undefined);
    if (row.familyId !== null)
      throw impossibleEdit(`${row.name} is a size of another product already. Detach it there first.`);
    if (!size && row.size === "")
      throw new EditRefused({ ok: false, reason: "invalid", fields: { size: "Enter a size" } });
    const family = await ensureFamily(tx, await lockProduct(tx, to, undefined), now());
    const newSize = size ?? row.size;
    if (sizedName({ name: family.name, size: newSize }).length > productLimits.name)
      throw new EditRefused(nameTooLong("size"));
    await tx
      .update(products)
      .set({
        size: newSize,
        familyId: family.id,
        familyPosition: family.nextPosition,
        revision: row.revision + 1,
        updatedAt: now(),
      })
      .where(eq(products.id, productId));
    return {
      ok: true,
      productId,
      name: row.name,
      before: { name: row.name },
      after: { name: sizedName({ name: family.name, size: newSize }) },
    };
  });
}

/** Detaches a size from its family; it keeps its name. */
export async function leaveFamily(
  { db, now }: ShopContext,
  productId: number,
): Promise<ProductEdit | EditRefusal> {
  return editInTransaction(db, async (tx) => {
    await lockFamilies(tx);
    const row = await lockProduct(tx, productId, undefined);
    if (row.familyId === null) throw new EditRefused({ ok: false, reason: "conflict" });
    await tx
      .update(products)
      .set({ familyId: null, familyPosition: null, revision: row.revision + 1, updatedAt: now() })
      .where(eq(products.id, productId));
    await endFamily(tx, row.familyId, now());
    return { ok: true, productId, name: row.name, before: {}, after: {} };
  });
}

/** Renames a family. A size at the end of the new name ("Oil, 100 ml") is dropped. Null if the name stays the same. */
export async function renameFamily(tx: Db, row: Row, { name, size }: { name: string; size: string }) {
  if (row.familyId === null) return null;
  const [family] = await tx.select().from(productFamilies).where(eq(productFamilies.id, row.familyId));
  if (!family) return null;
  const ending = [size, row.size].map((part) => `, ${part}`).find((suffix) => name.endsWith(suffix)) ?? "";
  const newName = name.slice(0, name.length - ending.length).trim();
  if (newName === "" || newName === family.name) return null;
  const sizes = await readSizes(tx, family.id);
  if (sizes.some((member) => sizedName({ name: newName, size: member.size }).length > productLimits.name))
    throw new EditRefused(nameTooLong("name"));
  await tx.update(productFamilies).set({ name: newName }).where(eq(productFamilies.id, family.id));
  return { before: family.name, after: newName };
}

/** Serializes edits of families' names and sizes. Take it before any other lock. */
export async function lockFamilies(tx: Db): Promise<void> {
  await tx.execute(sql`lock table product_families in share row exclusive mode`);
}

/** Dissolves a family with at most one size left; the last product gets its name without a size. */
export async function endFamily(tx: Db, familyId: number, now: Date): Promise<void> {
  const sizes = await readSizes(tx, familyId);
  if (sizes.length > 1) return;
  const [family] = await tx.select().from(productFamilies).where(eq(productFamilies.id, familyId));
  const [lastSize] = sizes;
  if (family && lastSize)
    await tx
      .update(products)
      .set({
        name: family.name,
        familyId: null,
        familyPosition: null,
        revision: lastSize.revision + 1,
        updatedAt: now,
      })
      .where(eq(products.id, lastSize.id));
  await tx.delete(productFamilies).where(eq(productFamilies.id, familyId));
}

/** The family of a product, created if it has none yet, with the position of the next size. */
async function ensureFamily(tx: Db, row: Row, now: Date) {
  if (row.archivedAt !== null) throw impossibleEdit(`${row.name} is archived. Restore it first.`);
  if (row.familyId !== null) {
    const [family] = await tx
      .select({
        id: productFamilies.id,
        name: productFamilies.name,
        lastPosition: max(products.familyPosition),
      })
      .from(productFamilies)
      .innerJoin(products, eq(products.familyId, productFamilies.id))
      .where(eq(productFamilies.id, row.familyId))
      .groupBy(productFamilies.id);
    if (!family) throw new Error("a product has lost its family");
    return { ...family, nextPosition: (family.lastPosition ?? 0) + 1 };
  }
  if (row.size === "") throw impossibleEdit(missingSizeMessage);
  if (sizedName(row).length > productLimits.name) throw new EditRefused(nameTooLong("size"));
  const [family] = await tx.insert(productFamilies).values({ name: row.name }).returning();
  if (!family) throw new Error("the insert returned no family");
  await tx
    .update(products)
    .set({ familyId: family.id, familyPosition: 0, revision: row.revision + 1, updatedAt: now })
    .where(eq(products.id, row.id));
  return { ...family, nextPosition: 1 };
}

async function readSizes(tx: Db, familyId: number) {
  return tx
    .select({ id: products.id, size: products.size, revision: products.revision })
    .from(products)
    .where(eq(products.familyId, familyId))
    .orderBy(asc(products.familyPosition));
}

function impossibleEdit(message: string): EditRefused {
  return new EditRefused({ ok: false, reason: "impossible", message });
}
