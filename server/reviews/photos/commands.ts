import { randomBytes } from "node:crypto";
import { and, count, eq, inArray, isNull, lt, or } from "drizzle-orm";
import { uploadLimits } from "../../../domain/catalog/upload-limits.ts";
import { isAllowed } from "../../../domain/people/roles.ts";
import { unsentPhotoHours } from "../../../domain/privacy/retention.ts";
import type { PhotoStatus } from "../../../domain/reviews/review.ts";
import { maxReviewPhotos } from "../../../domain/reviews/review-form.ts";
import { insertOriginal } from "../../catalog/pictures/originals.ts";
import type { ShopContext } from "../../context.ts";
import type { Db } from "../../platform/database/database.ts";
import { deleteInBatches } from "../../platform/database/in-batches.ts";
import type { Viewer, VisitorId } from "../../platform/http/viewer.ts";
import { rememberVisitor } from "../../visitors/commands.ts";
import { lockReviewsOfSameProduct } from "../lock.ts";
import { reviewPhotos, reviews } from "../tables.ts";

type PhotoRow = typeof reviewPhotos.$inferSelect;

const hourMs = 60 * 60 * 1000;
/** Photos that a visitor may upload before posting the review: twice the maximum of a review, so that some can be replaced. */
const maxUnsentPhotos = 2 * maxReviewPhotos;

const photoFile = (photoId: string) => `${photoId}.jpg`;

/**
 * Stores a photo for a review that is being written, re-encoded without the camera's metadata (places, names). `reason`: a
 * message for the writer.
 */
export async function addPhoto(
  { db, now, pictures }: ShopContext,
  { visitorId, bytes }: { visitorId: VisitorId; bytes: Buffer },
): Promise<{ ok: true; photo: PhotoRow } | { ok: false; reason: string }> {
  const checkResult = await pictures.check(bytes);
  if (!checkResult.ok) return checkResult;
  const copy = await pictures.copy(bytes, checkResult);
  if (!copy.ok) return copy;
  if (copy.bytes.length > uploadLimits.bytes) return { ok: false, reason: "This picture is too large." };
  const file = `u-${randomBytes(8).toString("hex")}.jpg`;
  const { width, height } = copy;
  return db.transaction(async (tx) => {
    // Locks the visitor's row, so that concurrent uploads count correctly.
    await rememberVisitor(tx, visitorId, now());
    const [unsentPhotos] = await tx
      .select({ count: count() })
      .from(reviewPhotos)
      .where(and(eq(reviewPhotos.visitorId, visitorId), isNull(reviewPhotos.reviewId)));
    if ((unsentPhotos?.count ?? 0) >= maxUnsentPhotos) {
      return { ok: false, reason: "You have added many photos. Send your review, or remove some first." };
    }
    const original = {
      file,
      bytes: copy.bytes,
      type: "image/jpeg",
      width,
      height,
      createdAt: now(),
    } as const;
    await insertOriginal(tx, original);
    const [photo] = await tx
      .insert(reviewPhotos)
      .values({ file, visitorId, width, height, createdAt: now() })
      .returning();
    if (!photo) throw new Error("an insert returned no row");
    return { ok: true, photo };
  });
}

/** Deletes a visitor's photo that is not in a review yet. False if there is none. */
export async function removeUnsentPhoto(
  db: Db,
  { visitorId, photoId }: { visitorId: VisitorId | null; photoId: string },
): Promise<boolean> {
  if (visitorId === null) return false;
  const { rowCount } = await db
    .delete(reviewPhotos)
    .where(
      and(
        eq(reviewPhotos.file, photoFile(photoId)),
        eq(reviewPhotos.visitorId, visitorId),
        isNull(reviewPhotos.reviewId),
      ),
    );
  return rowCount === 1;
}

/**
 * The photos of a review to be saved. `files`: the chosen photos in order; `rows`: the rows of the chosen photos and of the
 * review's existing photos.
 */
type ChosenPhotos = { files: readonly string[]; rows: readonly PhotoRow[] };

/**
 * The photos that a posted review lists, locked until it is saved. `reviewId`: the review being edited. Null if one of them
 * does not exist or belongs to another visitor. Call it under the reviews' lock.
 */
export async function choosePhotos(
  tx: Db,
  choice: { reviewId: number | null; visitorId: VisitorId; photoIds: readonly string[] },
): Promise<ChosenPhotos | null> {
  const { reviewId, visitorId } = choice;
  const files = choice.photoIds.map(photoFile);
  const isUnsent = and(
    inArray(reviewPhotos.file, files),
    eq(reviewPhotos.visitorId, visitorId),
    isNull(reviewPhotos.reviewId),
  );
  const matchesReview = reviewId === null ? undefined : eq(reviewPhotos.reviewId, reviewId);
  const rows = await tx.select().from(reviewPhotos).where(or(matchesReview, isUnsent)).for("update");
  return files.every((file) => rows.some((row) => row.file === file)) ? { files, rows } : null;
}

/** Attaches the chosen photos to a review and deletes its others. New photos wait for the owner's approval. */
export async function attachPhotos(
  tx: Db,
  reviewId: number,
  { files, rows }: ChosenPhotos,
): Promise<{ added: number }> {
  const removedFiles = rows.map(({ file }) => file).filter((file) => !files.includes(file));
  if (removedFiles.length > 0) await tx.delete(reviewPhotos).where(inArray(reviewPhotos.file, removedFiles));
  for (const [position, file] of files.entries()) {
    await tx.update(reviewPhotos).set({ reviewId, position }).where(eq(reviewPhotos.file, file));
  }
  return { added: rows.filter((row) => row.reviewId === null).length };
}

/** Approves a photo of a review, or withdraws the approval. Null if there is no such photo of a review. */
export async function moderatePhoto(
  { db }: ShopContext,
  { photoId, status }: { photoId: string; status: PhotoStatus },
): Promise<{ before: PhotoRow; after: PhotoRow } | null> {
  return withPhoto(db, photoId, async (tx, before) => {
    const [after] = await tx
      .update(reviewPhotos)
      .set({ status })
      .where(eq(reviewPhotos.file, before.file))
      .returning();
    return after ? { before, after } : null;
  });
}

/** Deletes a photo of a review permanently. Null if there is none. */
export async function deletePhoto({ db }: ShopContext, photoId: string): Promise<PhotoRow | null> {
  return withPhoto(db, photoId, async (tx, photo) => {
    await tx.delete(reviewPhotos).where(eq(reviewPhotos.file, photo.file));
    return photo;
  });
}

async function withPhoto<T>(
  db: ShopContext["db"],
  photoId: string,
  work: (tx: Db, photo: PhotoRow) => Promise<T>,
): Promise<T | null> {
  const select = (tx: Db) =>
    tx
      .select()
      .from(reviewPhotos)
      .where(eq(reviewPhotos.file, photoFile(photoId)));
  return db.transaction(async (tx) => {
    const [photo] = await select(tx);
    if (!photo || photo.reviewId === null) return null;
    await lockReviewsOfSameProduct(tx, photo.reviewId);
    const [lockedPhoto] = await select(tx);
    return lockedPhoto?.reviewId === photo.reviewId ? work(tx, lockedPhoto) : null;
  });
}

/** Deletes photos whose review was never posted, with their originals. */
export async function purgeUnsentPhotos({ db, now }: ShopContext): Promise<void> {
  const before = new Date(now().getTime() - unsentPhotoHours * hourMs);
  await deleteInBatches(
    db,
    reviewPhotos,
    and(isNull(reviewPhotos.reviewId), lt(reviewPhotos.createdAt, before)),
  );
}

/** A photo in any status, for its uploader, the writer of its review, and moderators only. */
export async function findPhotoFor(db: Db, viewer: Viewer, photoId: string): Promise<PhotoRow | null> {
  const [row] = await db
    .select({ photo: reviewPhotos, writer: reviews.visitorId })
    .from(reviewPhotos)
    .leftJoin(reviews, eq(reviews.id, reviewPhotos.reviewId))
    .where(eq(reviewPhotos.file, photoFile(photoId)));
  if (!row) return null;
  const { visitorId, admin } = viewer;
  const isModerator = admin !== null && isAllowed(admin.role, ["staff"]);
  const isOwn = visitorId !== null && (row.photo.visitorId === visitorId || row.writer === visitorId);
  return isModerator || isOwn ? row.photo : null;
}
