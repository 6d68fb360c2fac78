import { and, eq, exists, sql } from "drizzle-orm";
import * as v from "valibot";
import { postedReviewSchema, reviewPageSchema, reviewSorts } from "../../domain/reviews/review.ts";
import {
  maxReviewPhotos,
  missingReviewFields,
  photoIdSchema,
  reviewFormSchema,
} from "../../domain/reviews/review-form.ts";
import { hairSchema, skinSchema } from "../../domain/reviews/writer-traits.ts";
import { productIdSchema } from "../../domain/shared/number-fields.ts";
import { created, dataEnvelope, ok, route } from "../api-row.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import { claimedOrder, isReviewLinkValid, linkedOrder } from "../orders/link-tokens.ts";
import { orderVisitors } from "../orders/tables.ts";
import { idParams, pageLimit } from "../platform/http/params.ts";
import { notFoundProblem, problem, rateLimited } from "../platform/http/problem.ts";
import type { VisitorId } from "../platform/http/viewer.ts";
import { rememberVisitor } from "../visitors/commands.ts";
import { postReview } from "./commands.ts";
import { findPosted } from "./invitation.ts";
import { lockReviewsOfSameProduct } from "./lock.ts";
import { moderationApi } from "./moderation.ts";
import { photosApi } from "./photos/api.ts";
import { isReviewCursor, listReviews } from "./queries.ts";
import { reviews, reviewVotes } from "./tables.ts";

const tag = "Reviews";

const ratingText = v.optional(v.pipe(v.string(), v.regex(/^[1-5]$/, "From 1 to 5"), v.transform(Number)));

const listingQuery = v.pipe(
  v.object({
    limit: pageLimit(50),
    cursor: v.optional(v.pipe(v.string(), v.maxLength(20, "Is not a cursor of this list"))),
    sort: v.optional(v.picklist(reviewSorts, `One of ${reviewSorts.join(", ")}`), "newest"),
    rating: ratingText,
    /** The former name of `rating`. */
    stars: ratingText,
    hair: v.optional(hairSchema),
    skin: v.optional(skinSchema),
    photos: v.optional(v.picklist(["1"], "1, or nothing")),
    // Ignored: callers that want an uncached response send a new value each time.
    _t: v.optional(v.string()),
  }),
  v.forward(
    v.check(
      ({ sort, cursor }) => cursor === undefined || isReviewCursor(sort, cursor),
      "Is not a cursor of this list",
    ),
    ["cursor"],
  ),
);
type Listing = v.InferOutput<typeof listingQuery>;

const productIdText = v.pipe(
  v.string(),
  v.regex(/^\d{1,10}$/, "Must be a number"),
  v.transform(Number),
  productIdSchema,
);
const reviewToken = v.optional(v.nullable(v.pipe(v.string(), v.maxLength(200, "Too long"))), null);

const reviewBody = v.object(
  {
    productId: productIdSchema,
    ...reviewFormSchema.entries,
    /** Ids of uploaded photos, in order. If missing, the review keeps its photos. */
    photos: v.optional(
      v.pipe(
        v.array(photoIdSchema, "Must be a list"),
        v.maxLength(maxReviewPhotos, `At most ${maxReviewPhotos} photos`),
        v.check((ids) => new Set(ids).size === ids.length, "Each photo once"),
      ),
    ),
    /** Honeypot: hidden in the form, so only bots fill it in. */
    website: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(500, "Too long"))), null),
    token: reviewToken,
  },
  ({ path, message }) => missingReviewFields[String(path?.at(-1)?.key)] ?? message,
);

async function readPage(ctx: ShopContext, listing: Listing, productId?: number) {
  const { limit, cursor, sort, stars, rating = stars, hair, skin, photos } = listing;
  const body = await listReviews(ctx, {
    limit,
    sort,
    photos: photos !== undefined,
    ...(cursor === undefined ? {} : { cursor }),
    ...(rating === undefined ? {} : { rating }),
    ...(hair === undefined ? {} : { hair }),
    ...(skin === undefined ? {} : { skin }),
    ...(productId === undefined ? {} : { productId }),
  });
  return { status: 200 as const, body };
}

async function invitedOrder(
  { db, secret, now }: ShopContext,
  token: string | null,
  productId: number,
): Promise<string | null> {
  const orderId = token && claimedOrder(token);
  if (!token || !orderId) return null;
  const order = await linkedOrder(db, orderId);
  return isReviewLinkValid(secret, { order, productId }, token, now()) ? orderId : null;
}

export const reviewsApi = [
  route("GET /api/reviews", {
    tag,
    summary: "Published reviews, with their distribution",
    access: "anyone",
    limit: "none",
    query: listingQuery,
    response: reviewPageSchema,
    responses: {
      200: "`{data, nextCursor, total, summary: {count, average, counts}, kinds}`; `kinds` counts the reviews of each filter",
    },
    handle: (ctx, { query }) => readPage(ctx, query),
  }),
  route("GET /api/reviews/product/:productId", {
    tag,
    summary: "Published reviews of one product",
    access: "anyone",
    limit: "none",
    params: v.object({ productId: productIdText }),
    query: listingQuery,
    response: reviewPageSchema,
    responses: { 200: "As for all reviews; empty for an unknown product" },
    handle: (ctx, { params, query }) => readPage(ctx, query, params.productId),
  }),
  route("GET /api/reviews/mine", {
    tag,
    summary: "The visitor's own review of a product, which posting would edit",
    access: "anyone",
    limit: "none",
    query: v.object({ productId: productIdText, token: reviewToken }),
    response: dataEnvelope(v.object({ review: v.nullable(postedReviewSchema), verified: v.boolean() })),
    responses: {
      200: "`{review, verified}`; `review` may be null, `verified`: the visitor's purchase is proved",
    },
    handle: async (ctx, { query: { productId, token }, viewer: { visitorId } }) => {
      const invitedOrderId = await invitedOrder(ctx, token, productId);
      return ok(await findPosted(ctx.db, { visitorId, productId, invitedOrderId, mode: ctx.provider.mode }));
    },
  }),
  route("POST /api/reviews", {
    tag,
    summary: "Write a review, or edit one’s own",
    access: "anyone",
    byBuyer: true,
    limit: "review",
    body: reviewBody,
    response: dataEnvelope(postedReviewSchema),
    responses: {
      201: "The review; `status`: `published`, `pending` until the owner approves it, or still `hidden`",
      404: "There is no such published product",
    },
    handle: async (ctx, { body, visitor }) => {
      const { website, token, ...review } = body;
      const visitorId = visitor();
      const waitS = await ctx.limits.take("reviewer", visitorId);
      if (waitS !== null) return rateLimited("You have sent many reviews. Please try again later.", waitS);
      const { publish } = (await ctx.settings()).reviews;
      const result = await postReview(ctx, {
        ...review,
        visitorId,
        invitedOrderId: await invitedOrder(ctx, token, review.productId),
        isHeld: publish === "hold" || (website ?? "").trim() !== "",
      });
      if (!result.ok && result.reason === "lost_photo") {
        const message = "A photo is no longer there. Please remove it and add it again.";
        return problem("validation_failed", message, { fields: { photos: message } });
      }
      if (!result.ok) return notFoundProblem("product");
      return created(result.review);
    },
  }),
  ...photosApi,
  route("PUT /api/reviews/:id/helpful", {
    tag: "Reviews",
    summary: "Mark a published review as helpful, or remove the mark; one per visitor",
    access: "anyone",
    limit: "vote",
    params: idParams,
    body: v.object({ helpful: v.boolean("true or false") }),
    response: dataEnvelope(v.object({ helpful: v.boolean(), helpfulCount: v.number() })),
    responses: {
      200: "`{helpful, helpfulCount}`; sent again, it changes nothing",
      404: "There is no such published review",
      409: "`invalid_state`: it is the visitor’s own",
    },
    async handle(ctx, { params, body: { helpful }, visitor }) {
      const visitorId = visitor();
      const waitS = await ctx.limits.take("voter", visitorId);
      if (waitS !== null) return rateLimited("You have rated many reviews. Please try again later.", waitS);
      const result = await setVote(ctx, { reviewId: params.id, visitorId, helpful });
      if (result.ok) return ok({ helpful, helpfulCount: result.helpfulCount });
      return result.reason === "own"
        ? problem("invalid_state", "This is your own review.")
        : notFoundProblem("review");
    },
  }),
  ...moderationApi,
];

type Vote = { reviewId: number; visitorId: VisitorId; helpful: boolean };

/** Adds or removes a vote; a trigger counts it. */
async function setVote(
  { db, now }: ShopContext,
  { reviewId, visitorId, helpful }: Vote,
): Promise<{ ok: true; helpfulCount: number } | { ok: false; reason: "unknown_review" | "own" }> {
  return db.transaction(async (tx) => {
    await lockReviewsOfSameProduct(tx, reviewId);
    const ordersOfVisitor = tx
      .select({ one: sql`1` })
      .from(orderVisitors)
      .where(and(eq(orderVisitors.orderId, reviews.orderId), eq(orderVisitors.visitorId, visitorId)));
    const readReview = () =>
      tx
        .select({
          isOwn: sql<boolean>`${reviews.visitorId} is not distinct from ${visitorId} or ${exists(ordersOfVisitor)}`,
          helpfulCount: reviews.helpfulCount,
        })
        .from(reviews)
        .innerJoin(products, eq(products.id, reviews.productId))
        .where(and(eq(reviews.id, reviewId), eq(reviews.status, "published"), eq(products.published, true)));
    const [review] = await readReview();
    if (!review) return { ok: false, reason: "unknown_review" };
    if (review.isOwn) return { ok: false, reason: "own" };
    if (helpful) {
      await rememberVisitor(tx, visitorId, now());
      await tx.insert(reviewVotes).values({ reviewId, visitorId, createdAt: now() }).onConflictDoNothing();
    } else {
      await tx
        .delete(reviewVotes)
        .where(and(eq(reviewVotes.reviewId, reviewId), eq(reviewVotes.visitorId, visitorId)));
    }
    const [votedReview] = await readReview();
    if (!votedReview) throw new Error(`review ${reviewId} disappeared while it was voted for`);
    return { ok: true, helpfulCount: votedReview.helpfulCount };
  });
}
