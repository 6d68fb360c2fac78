import { createHash } from "node:crypto";
import { and, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import { campaigns } from "../../campaigns/tables.ts";
import { orderLines } from "../../orders/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { reviewPhotos, reviews } from "../../reviews/tables.ts";
import { settings } from "../../settings/tables.ts";
import { pictureOriginals, productImages } from "../tables.ts";

/**
 * Originals of uploaded pictures. Their bytes are read and written only here: another store, such as an S3 bucket, would
 * replace `insertOriginal`, `readOriginal` and `purgeOriginals`.
 */
type Original = Pick<
  typeof pictureOriginals.$inferInsert,
  "file" | "type" | "width" | "height" | "createdAt"
> & {
  bytes: Buffer;
};

/** Stores an original. Returns false if its file name is taken. */
export async function insertOriginal(tx: Db, original: Original): Promise<boolean> {
  const { rowCount } = await tx
    .insert(pictureOriginals)
    .values({ ...original, sha256: sha256(original.bytes), size: original.bytes.length })
    .onConflictDoNothing();
  return rowCount === 1;
}

/** All pictures are public except a shopper's photo that the owner has not approved or whose review is not published. */
const isPublic = sql`not exists (select from ${reviewPhotos} left join ${reviews} on ${reviews.id} = ${reviewPhotos.reviewId}
  where ${reviewPhotos.file} = ${pictureOriginals.file}
    and (${reviewPhotos.status}, ${reviews.status}) is distinct from ('shown', 'published'))`;

/** An original without its bytes. */
export async function findOriginal(db: Db, file: string) {
  const [row = null] = await db
    .select({
      width: pictureOriginals.width,
      height: pictureOriginals.height,
      problem: pictureOriginals.problem,
      isPrivate: sql<boolean>`not ${isPublic}`,
    })
    .from(pictureOriginals)
    .where(eq(pictureOriginals.file, file));
  return row;
}

export async function readOriginal(db: Db, file: string): Promise<Buffer | null> {
  const [row] = await db
    .select({ bytes: pictureOriginals.bytes })
    .from(pictureOriginals)
    .where(eq(pictureOriginals.file, file));
  return row?.bytes ?? null;
}

/** Marks an original and its picture as unreadable; the panel shows `problem` to the owner. */
export async function markDamaged(db: Db, file: string, problem: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.update(pictureOriginals).set({ problem }).where(eq(pictureOriginals.file, file));
    await tx
      .update(productImages)
      .set({ status: "failed", problem })
      .where(and(eq(productImages.file, file), eq(productImages.status, "ready")));
  });
}

/** The members of `files` to which a product, an order, a newsletter or the settings refer. */
async function picturesInUse(db: Db, files: readonly string[]): Promise<Set<string>> {
  if (files.length === 0) return new Set();
  const productReferences = db
    .select({ file: productImages.file })
    .from(productImages)
    .where(inArray(productImages.file, [...files]));
  const orderReferences = db
    .selectDistinct({ file: orderLines.image })
    .from(orderLines)
    .where(inArray(orderLines.image, [...files]));
  const founderReference = db
    .select({ file: sql<string | null>`${settings.value} ->> 'file'` })
    .from(settings)
    .where(eq(settings.key, "founderPicture"));
  // Searches the newsletters' texts once, regardless of the number of files.
  const { rows: newsletterReferences } = await db.execute<{ file: string }>(sql`
    select distinct (regexp_matches(${campaigns.body}, 'u-[0-9a-f]{16}[.]jpg', 'g'))[1] as file from ${campaigns}`);
  const references = [
    ...(await productReferences),
    ...(await orderReferences),
    ...(await founderReference),
    ...newsletterReferences,
  ];
  return new Set(references.flatMap(({ file }) => file ?? []));
}

/** The members of `files` that have a public original. */
export async function withPublicOriginal(db: Db, files: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .select({ file: pictureOriginals.file })
    .from(pictureOriginals)
    .where(and(inArray(pictureOriginals.file, [...files]), isPublic));
  return new Set(rows.map(({ file }) => file));
}

/** Width and height in pixels of the members of `files` that have a public, readable original. */
export async function findPublicSizes(
  db: Db,
  files: readonly string[],
): Promise<ReadonlyMap<string, { width: number; height: number }>> {
  if (files.length === 0) return new Map();
  const { file, width, height, problem } = pictureOriginals;
  const rows = await db
    .select({ file, width, height })
    .from(pictureOriginals)
    .where(and(inArray(file, [...files]), isNull(problem), isPublic));
  return new Map(rows.map((row) => [row.file, row]));
}

/** Deletes unused originals that were retired before this time or, if never retired, uploaded before it. */
export async function purgeOriginals(db: Db, before: Date): Promise<void> {
  const candidates = await db
    .select({ file: pictureOriginals.file })
    .from(pictureOriginals)
    .where(
      and(
        lt(sql`coalesce(${pictureOriginals.retiredAt}, ${pictureOriginals.createdAt})`, before),
        // A photo's original is deleted with its review.
        sql`not exists (select from ${reviewPhotos} where ${reviewPhotos.file} = ${pictureOriginals.file})`,
      ),
    );
  const files = candidates.map(({ file }) => file);
  const inUse = await picturesInUse(db, files);
  const unused = files.filter((file) => !inUse.has(file));
  if (unused.length > 0) await db.delete(pictureOriginals).where(inArray(pictureOriginals.file, unused));
}

export function sha256(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}
