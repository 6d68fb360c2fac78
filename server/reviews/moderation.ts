import { and, desc, eq, lt, sql } from "drizzle-orm";
import * as v from "valibot";
import {
  type ModeratedReview,
  type ModeratedReviewPage,
  moderatedReviewPageSchema,
  moderatedReviewSchema,
  type ReviewStatus,
} from "../../domain/reviews/review.ts";
import { dataEnvelope, ok, route } from "../api-row.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import { orders } from "../orders/tables.ts";
import type { Database, Db } from "../platform/database/database.ts";
import type { LoggedChange } from "../platform/http/api-response.ts";
import { cutPage, idParams, numericId, pageLimit } from "../platform/http/params.ts";
import { notFoundProblem, problem } from "../platform/http/problem.ts";
import { lockReviewsOfSameProduct } from "./lock.ts";
import { type ReviewWithProduct, readPhotos, toSentPhoto, withPhotos } from "./queries.ts";
import { reviewPhotos, reviews } from "./tables.ts";

const shared = { tag: "Reviews", access: "admin", roles: ["staff"] } as const;

const status = v.picklist(["published", "hidden", "pending"], "One of published, hidden, pending");
const text = (max: number) =>
  v.pipe(v.string("Must be text"), v.trim(), v.maxLength(max, `At most ${max} characters`));

export const moderationApi = [
  route("DELETE /api/reviews/:id", {
    ...shared,
    summary: "Delete a review permanently",
    limit: "write",
    params: idParams,
    response: dataEnvelope(v.object({ id: v.number() })),
    responses: { 200: "Deleted", 404: "There is no such review" },
    handle: async (ctx, { params, log }) => {
      const review = await deleteReview(ctx.db, params.id);
      if (review === null) return notFoundProblem("review");
      log({
        summary: `Deleted a review of ${starsText(review.rating)}`,
        before: review,
      });
      return ok({ id: params.id });
    },
  }),
  route("GET /api/admin/reviews", {
    ...shared,
    summary: "Reviews of every status, newest first",
    query: v.object({
      status: v.optional(status),
      photos: v.optional(v.picklist(["held"], "held, or nothing")),
      limit: pageLimit(50),
      cursor: v.optional(numericId),
    }),
    response: moderatedReviewPageSchema,
    responses: { 200: "`{data, nextCursor}`; each with `status`, `hiddenReason` and `orderNumber`" },
    handle: async (ctx, { query }) => {
      const { photos, ...listing } = query;
      const heldPhotos = photos === "held";
      return { status: 200, body: await listForModeration(ctx.db, { ...listing, heldPhotos }) };
    },
  }),
  route("PATCH /api/admin/reviews/:id", {
    ...shared,
    summary:
      "Publish, hide or answer a review; if a `reason` is sent for hiding 1 or 2 stars, it must not be empty",
    limit: "write",
    params: idParams,
    body: v.pipe(
      v.object({
        status: v.optional(status),
        reply: v.optional(
          v.nullable(
            v.pipe(
              text(1000),
              v.transform((reply) => reply || null),
            ),
          ),
        ),
        reason: v.optional(text(500)),
      }),
      v.check(({ status, reply }) => status !== undefined || reply !== undefined, "Send a status or a reply"),
    ),
    response: dataEnvelope(moderatedReviewSchema),
    responses: { 200: "The review", 404: "There is no such review" },
    handle: async (ctx, { params, body, log }) => {
      const result = await moderateReview(ctx, { ...body, reviewId: params.id });
      if (result.ok) {
        log(moderationChange(result.before, result.review, body.reply !== undefined));
        return ok(result.review);
      }
      return result.reason === "unknown_review"
        ? notFoundProblem("review")
        : problem("validation_failed", "Say why this review is hidden.", {
            fields: { reason: "Hiding a review of 1 or 2 stars takes a reason" },
          });
    },
  }),
];

const statusVerbs = { published: "Published", hidden: "Hid", pending: "Held back" };

/** The change for the activity log, without the text of review or reply, which may name people. */
function moderationChange(
  before: { status: ReviewStatus; hasReply: boolean },
  review: ModeratedReview,
  isReply: boolean,
): LoggedChange {
  const actions = [
    ...(before.status === review.status ? [] : [statusVerbs[review.status]]),
    ...(isReply ? [review.reply === null ? "Removed the reply to" : "Replied to"] : []),
  ];
  const what = `a review of ${starsText(review.rating)}`;
  return {
    subject: `review:${review.id}`,
    summary: actions.length === 0 ? `Left ${what} as it was` : `${actions.join(", ")} ${what}`,
    ...(before.status === review.status
      ? {}
      : {
          before: { status: before.status },
          after: {
            status: review.status,
            ...(review.hiddenReason === null ? {} : { reason: review.hiddenReason }),
          },
        }),
  };
}

function starsText(rating: number): string {
  return `${rating} ${rating === 1 ? "star" : "stars"}`;
}

/** The owner's edit of a review; missing fields are unchanged. `reply` null removes the reply. */
type Moderation = {
  status?: ReviewStatus | undefined;
  reply?: string | null | undefined;
  /** Why it is hidden; its author sees it only in a copy of their data. Optional, because the API's contract has no reasons. */
  reason?: string | undefined;
};

/** Hiding a review with at most this rating requires a reason. */
const maxPoorRating = 2;

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
  const { page, nextCursor } = cutPage(rows, limit, ({ review }) => String(review.id));
  return { data: await toModerated(db, page), nextCursor };
}

async function moderateReview(
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
    if (isHiding && before.rating <= maxPoorRating && reason === "") {
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

/** Returns the deleted review, for the activity log; null if there is no such review. */
async function deleteReview(
  db: Database,
  reviewId: number,
): Promise<{ rating: number; status: ReviewStatus } | null> {
  return db.transaction(async (tx) => {
    await lockReviewsOfSameProduct(tx, reviewId);
    const rows = await tx
      .delete(reviews)
      .where(eq(reviews.id, reviewId))
      .returning({ rating: reviews.rating, status: reviews.status });
    return rows[0] ?? null;
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
  const ids = rows.map(({ review }) => review.id);
  const photos = await readPhotos(db, ids);
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
