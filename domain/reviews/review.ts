import * as v from "valibot";
import { productImageSchema } from "../catalog/product-picture.ts";
import { type HairType, hairSchema, type SkinType, skinSchema } from "./writer-traits.ts";

export const reviewStatuses = ["published", "hidden", "pending"] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];

/** Of a photo: `held` until the owner approves it. */
export const photoStatuses = ["held", "shown"] as const;
export type PhotoStatus = (typeof photoStatuses)[number];

/** A published review as pages and API show it. `createdAt` is ISO 8601 UTC. */
export const reviewSchema = v.object({
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
  /** What the writer said of themselves. */
  hair: v.nullable(hairSchema),
  skin: v.nullable(skinSchema),
  /** Those that the owner approved. */
  photos: v.array(productImageSchema),
  helpfulCount: v.number(),
});
export type Review = v.InferOutput<typeof reviewSchema>;

/** How many published reviews have 1, 2, ... 5 stars, of one product or of all. */
export const ratingCountsSchema = v.pipe(
  v.tuple([v.number(), v.number(), v.number(), v.number(), v.number()]),
  v.readonly(),
);
export type RatingCounts = v.InferOutput<typeof ratingCountsSchema>;

/** What reviews come to, derived from their counts. `average` has one decimal; null without reviews. */
export const ratingSummarySchema = v.object({
  count: v.number(),
  average: v.nullable(v.number()),
  counts: ratingCountsSchema,
});
export type RatingSummary = v.InferOutput<typeof ratingSummarySchema>;

/** How published reviews are listed. */
export const reviewSorts = ["newest", "helpful", "highest", "lowest"] as const;
export type ReviewSort = (typeof reviewSorts)[number];
/** Which of them. */
export type ReviewFilter = {
  /** Only those with this rating. */
  rating?: number;
  hair?: HairType;
  skin?: SkinType;
  /** Only those with photos. */
  photos?: boolean;
};
export type ReviewListing = ReviewFilter & {
  productId?: number;
  sort?: ReviewSort;
  limit: number;
  /** A former answer's `nextCursor`. */
  cursor?: string;
};

/** How many published reviews of one product, or of all, can be filtered for. What none has is left out. */
export const reviewKindsSchema = v.object({
  hair: v.array(v.object({ key: hairSchema, count: v.number() })),
  skin: v.array(v.object({ key: skinSchema, count: v.number() })),
  photos: v.number(),
});
export type ReviewKinds = v.InferOutput<typeof reviewKindsSchema>;

/** A page of reviews. `total` counts all that the listing has; `summary` and `kinds` all of the product or shop. */
export const reviewPageSchema = v.object({
  data: v.array(reviewSchema),
  nextCursor: v.nullable(v.string()),
  total: v.number(),
  summary: ratingSummarySchema,
  kinds: reviewKindsSchema,
});
export type ReviewPage = v.InferOutput<typeof reviewPageSchema>;

export function summarizeRatings(counts: RatingCounts): RatingSummary {
  const count = counts.reduce((sum, n) => sum + n, 0);
  const stars = counts.reduce((sum, n, index) => sum + n * (index + 1), 0);
  return { count, average: averageRating(stars, count), counts };
}

/** The counts of several products as one. */
export function sumRatingCounts(all: readonly RatingCounts[]): RatingCounts {
  const sumAt = (index: 0 | 1 | 2 | 3 | 4) => all.reduce((sum, counts) => sum + counts[index], 0);
  return [sumAt(0), sumAt(1), sumAt(2), sumAt(3), sumAt(4)];
}

/** 4.6666 -> 4.7 */
export function averageRating(ratingSum: number, count: number): number | null {
  return count === 0 ? null : Math.round((ratingSum * 10) / count) / 10;
}

/** A photo as its writer and the owner see it. `url` shows it to them alone while it is held. Sides in pixels. */
export const sentPhotoSchema = v.object({
  id: v.string(),
  status: v.picklist(photoStatuses),
  url: v.string(),
  width: v.number(),
  height: v.number(),
});
export type SentPhoto = v.InferOutput<typeof sentPhotoSchema>;

/** A review as its writer gets it back: with what became of it and of its photos. */
export const postedReviewSchema = v.object({
  ...reviewSchema.entries,
  status: v.picklist(reviewStatuses),
  sentPhotos: v.array(sentPhotoSchema),
});
export type PostedReview = v.InferOutput<typeof postedReviewSchema>;

/** A review as the owner sees it, whatever its status. Times ISO 8601 UTC. */
export const moderatedReviewSchema = v.object({
  ...postedReviewSchema.entries,
  /** Why it was hidden. */
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

/** What an e-mailed review link stands for: whose purchase it proves. */
export type ReviewInvitation = { orderNumber: number; productId: number; suggestedName: string };
