import { randomBytes } from "node:crypto";
import { and, asc, count, eq, gt, max, sql } from "drizzle-orm";
import { type PictureChange, productLimits } from "../../../domain/catalog/product-admin.ts";
import type { FounderPicture } from "../../../domain/settings/settings.ts";
import type { ShopContext } from "../../context.ts";
import type { Db } from "../../platform/database/database.ts";
import { addJob } from "../../platform/jobs/jobs.ts";
import { pictureOriginals, productImages, products } from "../tables.ts";
import { makePictureJob } from "./jobs.ts";
import { insertOriginal } from "./originals.ts";

export type PictureRow = typeof productImages.$inferSelect;
type Picture = Omit<Parameters<typeof insertOriginal>[1], "file" | "createdAt">;
type PictureId = { productId: number; imageId: number };

/**
 * Stores a checked picture and appends it to a product's gallery; a job makes its sizes. Its random file name cannot be guessed
 * and is used by no other row.
 */
export async function addPicture(
  { db, now }: ShopContext,
  { productId, picture, alt }: { productId: number; picture: Picture; alt: string },
): Promise<{ ok: true; imageId: number } | { ok: false; reason: "unknown" | "full" }> {
  const file = `u-${randomBytes(8).toString("hex")}.jpg`;
  const { width, height } = picture;
  return db.transaction(async (tx) => {
    if (!(await lockGallery(tx, productId, now()))) return { ok: false, reason: "unknown" };
    const [gallery] = await tx
      .select({ count: count(), last: max(productImages.position) })
      .from(productImages)
      .where(eq(productImages.productId, productId));
    if ((gallery?.count ?? 0) >= productLimits.images) return { ok: false, reason: "full" };
    const [row] = await tx
      .insert(productImages)
      .values({
        productId,
        position: (gallery?.last ?? -1) + 1,
        file,
        alt,
        width,
        height,
        status: "processing",
      })
      .returning({ id: productImages.id });
    if (!row) throw new Error("the insert returned no picture");
    await insertOriginal(tx, { file, createdAt: now(), ...picture });
    await addJob(tx, makePictureJob, { imageId: row.id });
    return { ok: true, imageId: row.id };
  });
}

/** Stores an upload that belongs to no product, with all its sizes, so that it can be shown immediately. */
export async function storePicture(
  ctx: ShopContext,
  bytes: Buffer,
): Promise<{ ok: true; picture: FounderPicture } | { ok: false; reason: string }> {
  const checkResult = await ctx.pictures.check(bytes);
  if (!checkResult.ok) return checkResult;
  const { type, width, height } = checkResult;
  const picture = { file: `u-${randomBytes(8).toString("hex")}.jpg`, width, height };
  await insertOriginal(ctx.db, { ...picture, type, bytes, createdAt: ctx.now() });
  const sizes = await ctx.pictures.makeSizes(picture.file);
  return sizes.ok ? { ok: true, picture } : sizes;
}

/** Sets a picture's alternative text, or moves it; a `position` beyond the last moves it to the end. */
export async function changePicture(
  { db, now }: ShopContext,
  { productId, imageId, alt, position }: PictureChange & PictureId,
): Promise<{ before: PictureRow; after: PictureRow } | null> {
  return db.transaction(async (tx) => {
    await lockGallery(tx, productId, now());
    const gallery = await tx
      .select()
      .from(productImages)
      .where(eq(productImages.productId, productId))
      .orderBy(asc(productImages.position));
    const from = gallery.findIndex(({ id }) => id === imageId);
    const before = gallery[from];
    if (!before) return null;
    if (alt !== undefined) await tx.update(productImages).set({ alt }).where(eq(productImages.id, imageId));
    const to = Math.min(position ?? from, gallery.length - 1);
    if (to !== from) {
      const ids = gallery
        .map(({ id }) => id)
        .toSpliced(from, 1)
        .toSpliced(to, 0, imageId);
      await tx.execute(sql`
        update ${productImages} set position = placed.place - 1
        from json_array_elements_text(${JSON.stringify(ids)}::json) with ordinality as placed(id, place)
        where ${productImages.id} = placed.id::int`);
    }
    return {
      before: { ...before, position: from },
      after: { ...before, alt: alt ?? before.alt, position: to },
    };
  });
}

/** Removes a picture from the gallery. The purge deletes its original later: pages and orders may still refer to it. */
export async function removePicture(
  { db, now }: ShopContext,
  { productId, imageId }: PictureId,
): Promise<PictureRow | null> {
  return db.transaction(async (tx) => {
    await lockGallery(tx, productId, now());
    const [picture] = await tx
      .delete(productImages)
      .where(and(eq(productImages.id, imageId), eq(productImages.productId, productId)))
      .returning();
    if (!picture) return null;
    await tx
      .update(productImages)
      .set({ position: sql`${productImages.position} - 1` })
      .where(and(eq(productImages.productId, productId), gt(productImages.position, picture.position)));
    await tx
      .update(pictureOriginals)
      .set({ retiredAt: now() })
      .where(eq(pictureOriginals.file, picture.file));
    return picture;
  });
}

/** Serializes edits of a gallery. False if there is no such product. */
async function lockGallery(tx: Db, productId: number, now: Date): Promise<boolean> {
  const { rowCount } = await tx.update(products).set({ updatedAt: now }).where(eq(products.id, productId));
  return rowCount === 1;
}
