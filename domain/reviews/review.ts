import * as v from "valibot";
import { productImageSchema } from "../catalog/product-picture.ts";
import { type HairType, hairSchema, type SkinType, skinSchema } from "./writer-traits.ts";

export const reviewStatuses = ["published", "hidden", "pending"] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];

/** `held`: waiting for the owner's approval. */
export const photoStatuses = ["held", "shown"] as const;
export type PhotoStatus = (typeof photoStatuses)[number];

/** A published review on pages and in the API. `createdAt` is ISO 8601 UTC. */
const reviewSchema = v.object({
  id: v.number(),
  rating: v.number(),
  comment: v.string(),
  createdAt: v.string(),
  customerName: v.nullable(v.string()),
  productId: v.number(),
  productName: v.string(),
  productSlug: v.string(),
  verified: v.boolean(),
  reply: v.nullable(v.string()),
  /** Hair and skin type, as stated by the writer. */
  hair: v.nullable(hairSchema),
  skin: v.nullable(skinSchema),
  /** Approved photos only. */
  photos: v.array(productImageSchema),
  helpfulCount: v.number(),
});
export type Review = v.InferOutput<typeof reviewSchema>;

/** Number of published reviews with 1, 2, ... 5 stars, of one product or of all. */
export const ratingCountsSchema = v.pipe(
  v.tuple([v.number(), v.number(), v.number(), v.number(), v.number()]),
  v.readonly(),
);
export type RatingCounts = v.InferOutput<typeof ratingCountsSchema>;

/** Statistics computed from the counts. `average` has one decimal; null without reviews. */
const ratingSummarySchema = v.object({
  count: v.number(),
  average: v.nullable(v.number()),
  counts: ratingCountsSchema,
});
export type RatingSummary = v.InferOutput<typeof ratingSummarySchema>;

export const reviewSorts = ["newest", "helpful", "highest", "lowest"] as const;
export type ReviewSort = (typeof reviewSorts)[number];
export type ReviewFilter = {
  rating?: number;
  hair?: HairType;
  skin?: SkinType;
  photos?: boolean;
};
export type ReviewListing = ReviewFilter & {
  productId?: number;
  sort?: ReviewSort;
  limit: number;
  /** `nextCursor` of the previous page. */
  cursor?: string;
};

/** Number of published reviews per filter value, of one product or of all. Values without reviews are left out. */
const reviewKindCountsSchema = v.object({
  hair: v.array(v.object({ key: hairSchema, count: v.number() })),
  skin: v.array(v.object({ key: skinSchema, count: v.number() })),
  photos: v.number(),
});
export type ReviewKindCounts = v.InferOutput<typeof reviewKindCountsSchema>;

/** A page of reviews. `total` counts the filtered list; `summary` and `kinds` cover the whole product or shop. */
export const reviewPageSchema = v.object({
  data: v.array(reviewSchema),
  nextCursor: v.nullable(v.string()),
  total: v.number(),
  summary: ratingSummarySchema,
  kinds: reviewKindCountsSchema,
});
export type ReviewPage = v.InferOutput<typeof reviewPageSchema>;

export function summarizeRatings(counts: RatingCounts): RatingSummary {
  const count = counts.reduce((sum, n) => sum + n, 0);
  const stars = counts.reduce((sum, n, index) => sum + n * (index + 1), 0);
  return { count, average: averageRating(stars, count), counts };
}

/** Sum of the counts of several products. */
export function sumRatingCounts(all: readonly RatingCounts[]): RatingCounts {
  const sumAt = (index: 0 | 1 | 2 | 3 | 4) => all.reduce((sum, counts) => sum + counts[index], 0);
  return [sumAt(0), sumAt(1), sumAt(2), sumAt(3), sumAt(4)];
}

/** 4.6666 -> 4.7 */
export function averageRating(ratingSum: number, count: number): number | null {
  return count === 0 ? null : Math.round((ratingSum * 10) / count) / 10;
}

/** A photo as its writer and the owner see it. While it is held, `url` works only for them. Width and height in pixels. */
export const sentPhotoSchema = v.object({
  id: v.string(),
  status: v.picklist(photoStatuses),
  url: v.string(),
  width: v.number(),
  height: v.number(),
});
export type SentPhoto = v.InferOutput<typeof sentPhotoSchema>;

/** A review as its writer sees it, with its status and all of its photos. */
export const postedReviewSchema = v.object({
  ...reviewSchema.entries,
  status: v.picklist(reviewStatuses),
  sentPhotos: v.array(sentPhotoSchema),
});
export type PostedReview = v.InferOutput<typeof postedReviewSchema>;

/** A review in the panel. Times ISO 8601 UTC. */
export const moderatedReviewSchema = v.object({
  ...postedReviewSchema.entries,
  hiddenReason: v.nullable(v.string()),
  /** The order that proves the purchase. */
  orderId: v.nullable(v.string()),
  orderNumber: v.nullable(v.number()),
  editedAt: v.nullable(v.string()),
  repliedAt: v.nullable(v.string()),
});
export type ModeratedReview = v.InferOutput<typeof moderatedReviewSchema>;

export const moderatedReviewPageSchema = v.object({
  data: v.array(moderatedReviewSchema),
  nextCursor: v.nullable(v.string()),
});
export type ModeratedReviewPage = v.InferOutput<typeof moderatedReviewPageSchema>;

/** The purchase that an e-mailed review link proves. */
export type ReviewInvitation = { orderNumber: number; productId: number; suggestedName: string };
