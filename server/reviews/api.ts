import * as v from "valibot";
import { productIdSchema } from "../../domain/checkout/checkout.ts";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import { type ReviewListing, type ReviewPage, reviewSorts } from "../../domain/reviews/review.ts";
import { reviewFormSchema } from "../../domain/reviews/review-form.ts";
import type { ShopSettings } from "../../domain/settings/settings.ts";
import { type AnyApiRow, ok, route } from "../http/api-row.ts";
import { orderOfReviewLink } from "../orders/review-link.ts";
import type { Database } from "../platform/database.ts";
import { pageLimit } from "../platform/page-limit.ts";
import { problem } from "../platform/problem.ts";
import type { VisitorId } from "../platform/viewer.ts";
import { postReview } from "./commands.ts";
import { findOwn } from "./invitation.ts";
import { moderationApi } from "./moderation-api.ts";
import { isReviewCursor } from "./queries.ts";

export type ReviewsApiParts = {
  db: Database;
  now(): Date;
  settings(): Promise<ShopSettings>;
  reviews(listing: ReviewListing): Promise<ReviewPage>;
  /** Signs review links. */
  secret: string;
  /** The shop's: what was only a test proves no purchase where money is real. */
  mode: PaymentMode;
  /** Counts one review of a visitor: null, or the seconds to wait. */
  takeReviewTurn(visitorId: VisitorId): Promise<number | null>;
};

const tag = "Reviews";

const listingQuery = v.pipe(
  v.object({
    limit: pageLimit(50),
    cursor: v.optional(v.pipe(v.string(), v.maxLength(20, "Is not a cursor of this list"))),
    sort: v.optional(v.picklist(reviewSorts, `One of ${reviewSorts.join(", ")}`), "newest"),
    stars: v.optional(v.pipe(v.string(), v.regex(/^[1-5]$/, "From 1 to 5"), v.transform(Number))),
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

const reviewBody = v.object({
  productId: productIdSchema,
  ...reviewFormSchema.entries,
  /** Shown to no one: only programs that fill in every field fill it in. */
  website: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(500, "Too long"))), null),
  token: reviewToken,
});

export function reviewsApi(parts: ReviewsApiParts): AnyApiRow[] {
  const page = async ({ limit, cursor, sort, stars }: Listing, productId?: number) => {
    const shown = await parts.reviews({
      limit,
      sort,
      ...(cursor === undefined ? {} : { cursor }),
      ...(stars === undefined ? {} : { stars }),
      ...(productId === undefined ? {} : { productId }),
    });
    return { status: 200 as const, body: { success: true, ...shown } };
  };
  const invitedOrder = (token: string | null, productId: number) =>
    token === null ? null : orderOfReviewLink(parts.secret, token, productId, parts.now());
  return [
    route("GET /api/reviews", {
      tag,
      summary: "Published reviews, with their distribution",
      access: "anyone",
      limit: "none",
      query: listingQuery,
      answers: { 200: "`{data, nextCursor, total, summary: {count, average, counts}}`" },
      handle: (_ctx, { query }) => page(query),
    }),
    route("GET /api/reviews/product/:productId", {
      tag,
      summary: "Published reviews of one product",
      access: "anyone",
      limit: "none",
      params: v.object({ productId: productIdText }),
      query: listingQuery,
      answers: { 200: "The same as for all; empty for a product that is not there" },
      handle: (_ctx, { params, query }) => page(query, params.productId),
    }),
    route("GET /api/reviews/mine", {
      tag,
      summary: "The visitor's own review of a product, which posting would edit",
      access: "anyone",
      limit: "none",
      query: v.object({ productId: productIdText, token: reviewToken }),
      answers: {
        200: "`{review, verified}`; `review` may be null, `verified` says whether a purchase is proved",
      },
      handle: async (_ctx, { query: { productId, token }, viewer: { visitorId } }) => {
        const invitedOrderId = invitedOrder(token, productId);
        return ok(await findOwn(parts.db, { visitorId, productId, invitedOrderId, mode: parts.mode }));
      },
    }),
    route("POST /api/reviews", {
      tag,
      summary: "Write a review; posting again edits it",
      access: "anyone",
      limit: "review",
      body: reviewBody,
      answers: {
        201: "The review; `status`: `published`, `pending` until the owner approves it, or still `hidden`",
        404: "No such product on show",
      },
      handle: async (_ctx, { body, visitor }) => {
        const { website, token, ...review } = body;
        const visitorId = visitor();
        const waitS = await parts.takeReviewTurn(visitorId);
        if (waitS !== null) {
          return problem("rate_limited", "You have sent many reviews. Please try again later.", {
            headers: { "Retry-After": String(waitS) },
          });
        }
        const { publish } = (await parts.settings()).reviews;
        const posted = await postReview(parts.db, {
          mode: parts.mode,
          ...review,
          visitorId,
          invitedOrderId: invitedOrder(token, review.productId),
          isHeld: publish === "hold" || (website ?? "").trim() !== "",
          now: parts.now(),
        });
        return posted.ok
          ? { status: 201, body: { success: true, data: posted.review } }
          : problem("not_found", "There is no such product.");
      },
    }),
    ...moderationApi(parts),
  ];
}
