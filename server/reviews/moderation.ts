import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { ModeratedReview, ModeratedReviewPage, ReviewStatus } from "../../domain/reviews/review.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import { orders } from "../orders/tables.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { lockReviewsOfSameProduct } from "./lock.ts";
import { type ReviewWithProduct, readPhotos, toSentPhoto, withPhotos } from "./queries.ts";
import { reviewPhotos, reviews } from "./tables.ts";

/** The owner's edit of a review; missing fields are unchanged. `reply` null removes the reply. */
type Moderation = {
  status?: ReviewStatus | undefined;
  reply?: string | null | undefined;
  /** Why it is hidden; only the owner sees it. Optional, because the API's contract has no reasons. */
  reason?: string | undefined;
};

/** Hiding a review with at most this rating requires a reason. */
const poorRatingMax = 2;

/** Reviews of one status or all, newest first. `cursor`: the id of the last review of the previous page. */
export async function listForModeration(
  db: Db,
  listing: {
    status?: ReviewStatus | undefined;
    /** Only reviews with photos that wait for approval. */
    heldPhotos?: boolean;
    limit: number;
    cursor?: number | undefined;
  },
): Promise<ModeratedReviewPage> {
  const { status, limit, cursor } = listing;
  const rows = await selectModerated(db)
    .where(
      and(
        status === undefined ? undefined : eq(reviews.status, status),
        listing.heldPhotos
          ? sql`${reviews.id} in (select ${reviewPhotos.reviewId} from ${reviewPhotos}
              where ${reviewPhotos.reviewId} is not null and ${reviewPhotos.status} = 'held')`
          : undefined,
        cursor === undefined ? undefined : lt(reviews.id, cursor),
      ),
    )
    .orderBy(desc(reviews.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  return {
    data: await toModerated(db, page),
    nextCursor: rows.length > limit ? String(page.at(-1)?.review.id) : null,
  };
}

export async function moderateReview(
  { db, now: clock }: ShopContext,
  { reviewId, status, reply, reason }: Moderation & { reviewId: number },
): Promise<
  | { ok: true; review: ModeratedReview; before: { status: ReviewStatus; hasReply: boolean } }
  | { ok: false; reason: "unknown_review" | "reason_missing" }
> {
  const now = clock();
  return db.transaction(async (tx) => {
    await lockReviewsOfSameProduct(tx, reviewId);
    const [before] = await tx.select().from(reviews).where(eq(reviews.id, reviewId));
    if (!before) return { ok: false, reason: "unknown_review" };
    const isHiding = status === "hidden" && before.status !== "hidden";
    if (isHiding && before.rating <= poorRatingMax && reason === "") {
      return { ok: false, reason: "reason_missing" };
    }
    const isHidden = (status ?? before.status) === "hidden";
    await tx
      .update(reviews)
      .set({
        status: status ?? before.status,
        hiddenReason: isHidden ? reason || before.hiddenReason : null,
        ...(reply === undefined || reply === before.reply
          ? {}
          : { reply, repliedAt: reply === null ? null : now }),
      })
      .where(eq(reviews.id, reviewId));
    const [after] = await toModerated(tx, await selectModerated(tx).where(eq(reviews.id, reviewId)));
    if (!after) throw new Error(`review ${reviewId} disappeared while it was moderated`);
    return {
      ok: true,
      review: after,
      before: { status: before.status, hasReply: before.reply !== null },
    };
  });
}

/** Returns the deleted review, for the activity log; null: there is no such review. */
export async function deleteReview(
  db: Database,
  reviewId: number,
): Promise<{ rating: number; status: ReviewStatus } | null> {
  return db.transaction(async (tx) => {
    await lockReviewsOfSameProduct(tx, reviewId);
    const deleted = await tx
      .delete(reviews)
      .where(eq(reviews.id, reviewId))
      .returning({ rating: reviews.rating, status: reviews.status });
    return deleted[0] ?? null;
  });
}

function selectModerated(db: Db) {
  return db
    .select({
      review: reviews,
      productName: products.name,
      productSlug: products.slug,
      orderNumber: orders.number,
    })
    .from(reviews)
    .innerJoin(products, eq(products.id, reviews.productId))
    .leftJoin(orders, eq(orders.id, reviews.orderId));
}

async function toModerated(
  db: Db,
  rows: (ReviewWithProduct & { orderNumber: number | null })[],
): Promise<ModeratedReview[]> {
  const photos = await readPhotos(
    db,
    rows.map(({ review }) => review.id),
  );
  const publicReviews = await withPhotos(db, rows);
  return publicReviews.flatMap((review, index) => {
    const row = rows[index];
    if (!row) return [];
    const { status, hiddenReason, orderId, editedAt, repliedAt } = row.review;
    return {
      ...review,
      status,
      sentPhotos: photos.filter(({ reviewId }) => reviewId === review.id).map(toSentPhoto),
      hiddenReason,
      orderId,
      orderNumber: row.orderNumber,
      editedAt: editedAt?.toISOString() ?? null,
      repliedAt: repliedAt?.toISOString() ?? null,
    };
  });
}
