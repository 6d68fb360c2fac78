import { and, asc, eq, inArray, isNull, lte, or, type SQL } from "drizzle-orm";
import { pick } from "../../domain/shared/pick.ts";
import { pictureOriginals } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { eraseMailAbout } from "../outbox/personal-data.ts";
import type { Person, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { task } from "../platform/jobs/jobs.ts";
import { reviewsApi } from "./api.ts";
import { reviewsMail } from "./mail.ts";
import { purgeUnsentPhotos } from "./photos/commands.ts";
import { requestReview, requestReviewJob } from "./request.ts";
import { reviewPhotos, reviews, reviewVotes } from "./tables.ts";

export const reviewsFeature = {
  api: reviewsApi,
  tasks: (ctx) => [task(requestReviewJob, ({ orderId }) => requestReview(ctx, orderId))],
  mail: reviewsMail,
  purges: [purgeUnsentPhotos],
  personalData: {
    lists: { reviews: exportReviews, helpfulVotes: exportVotes },
    erase: eraseReviews,
  },
} satisfies Feature;

/** Maximum number of photos in an export: about 20 MB as Base64. */
const maxPhotos = 40;

async function exportReviews(db: Db, author: Person, limit: number) {
  const rows = await db
    .select({
      ...pick(
        reviews,
        "id",
        "productId",
        "orderId",
        "rating",
        "comment",
        "customerName",
        "hair",
        "skin",
        "verified",
        "status",
        "hiddenReason",
        "reply",
        "repliedAt",
        "createdAt",
        "editedAt",
      ),
    })
    .from(reviews)
    .where(isBy(author))
    .orderBy(asc(reviews.id))
    .limit(limit);
  const ids = rows.map(({ id }) => id);
  const photos = await exportPhotos(db, ids);
  return rows.map(({ id, ...review }) => ({
    ...review,
    photos: photos.flatMap(({ reviewId, ...photo }) => (reviewId === id ? [photo] : [])),
  }));
}

async function exportPhotos(db: Db, reviewIds: number[]) {
  if (reviewIds.length === 0) return [];
  const rows = await db
    .select({
      reviewId: reviewPhotos.reviewId,
      status: reviewPhotos.status,
      createdAt: reviewPhotos.createdAt,
      type: pictureOriginals.type,
      bytes: pictureOriginals.bytes,
    })
    .from(reviewPhotos)
    .innerJoin(pictureOriginals, eq(pictureOriginals.file, reviewPhotos.file))
    .where(inArray(reviewPhotos.reviewId, reviewIds))
    .orderBy(asc(reviewPhotos.reviewId), asc(reviewPhotos.position))
    .limit(maxPhotos);
  return rows.map(({ bytes, ...photo }) => ({ ...photo, base64: bytes.toString("base64") }));
}

async function exportVotes(db: Db, { visitorIds }: Person, limit: number) {
  return db
    .select({ reviewId: reviewVotes.reviewId, createdAt: reviewVotes.createdAt })
    .from(reviewVotes)
    .where(inArray(reviewVotes.visitorId, visitorIds))
    .orderBy(asc(reviewVotes.id))
    .limit(limit);
}

/**
 * Deletes a person's reviews up to a time, in any status, with their photos and the e-mails about them, and the votes and unsent
 * photos of the person's browsers.
 */
async function eraseReviews(tx: Db, person: PersonToErase, { mailFolder }: ShopContext): Promise<void> {
  const { visitorIds, until } = person;
  await tx
    .delete(reviewPhotos)
    .where(
      and(
        isNull(reviewPhotos.reviewId),
        inArray(reviewPhotos.visitorId, visitorIds),
        lte(reviewPhotos.createdAt, until),
      ),
    );
  await tx
    .delete(reviewVotes)
    .where(and(inArray(reviewVotes.visitorId, visitorIds), lte(reviewVotes.createdAt, until)));
  const erasedReviews = await tx
    .delete(reviews)
    .where(and(isBy(person), lte(reviews.createdAt, until)))
    .returning({ id: reviews.id });
  const ids = erasedReviews.map(({ id }) => String(id));
  await eraseMailAbout(tx, { subject: "reviewId", ids, person }, mailFolder);
}

/**
 * Reviews proved by these orders, and reviews by these visitors without an order. A browser may be shared, so a review
 * proved by another order belongs to another buyer.
 */
function isBy({ orderIds, visitorIds }: Person): SQL | undefined {
  return or(
    inArray(reviews.orderId, orderIds),
    and(isNull(reviews.orderId), inArray(reviews.visitorId, visitorIds)),
  );
}
