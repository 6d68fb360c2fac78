import { and, isNull, lt } from "drizzle-orm";
import { unsentPhotoHours } from "../../../domain/privacy/retention.ts";
import type { ShopContext } from "../../context.ts";
import { deleteInBatches } from "../../platform/database/in-batches.ts";
import { reviewPhotos } from "../tables.ts";

const hourMs = 60 * 60 * 1000;

/** Deletes photos whose review was not sent; their originals go with them. */
export async function purgeUnsentPhotos({ db, now }: ShopContext): Promise<void> {
  const before = new Date(now().getTime() - unsentPhotoHours * hourMs);
  await deleteInBatches(
    db,
    reviewPhotos,
    and(isNull(reviewPhotos.reviewId), lt(reviewPhotos.createdAt, before)),
  );
}
