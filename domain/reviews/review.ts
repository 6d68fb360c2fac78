export type ReviewStatus = "published" | "hidden" | "pending";

/** A published review as pages and API show it. `createdAt` is ISO 8601 UTC. */
export type Review = {
  id: number;
  rating: number;
  comment: string;
  createdAt: string;
  customerName: string | null;
  productId: number;
  productName: string;
  productSlug: string;
  verified: boolean;
  reply: string | null;
};

/** How published reviews are listed. `stars`: only those with this rating. */
export const reviewSorts = ["newest", "highest", "lowest"] as const;
export type ReviewSort = (typeof reviewSorts)[number];
export type ReviewListing = {
  productId?: number;
  stars?: number;
  sort?: ReviewSort;
  limit: number;
  /** A former answer's `nextCursor`. */
  cursor?: string;
};

/** A page of reviews. `total` counts all that the listing has; `summary` all of the product or shop, unfiltered. */
export type ReviewPage = {
  data: Review[];
  nextCursor: string | null;
  total: number;
  summary: RatingSummary;
};

/** How many published reviews have 1, 2, ... 5 stars, of one product or of all. */
export type RatingCounts = readonly [number, number, number, number, number];

/** What reviews come to, derived from their counts. `average` has one decimal; null without reviews. */
export type RatingSummary = { count: number; average: number | null; counts: RatingCounts };

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

/** A review as its writer gets it back: with what became of it. */
export type PostedReview = Review & { status: ReviewStatus };

/** A review as the owner sees it, whatever its status. Times ISO 8601 UTC. */
export type ModeratedReview = PostedReview & {
  /** Why it was hidden. */
  hiddenReason: string | null;
  /** The order that proves the purchase. */
  orderId: string | null;
  orderNumber: number | null;
  editedAt: string | null;
  repliedAt: string | null;
};
export type ModeratedReviewPage = { data: ModeratedReview[]; nextCursor: string | null };

/** What an e-mailed review link stands for: whose purchase it proves. */
export type ReviewInvitation = { orderNumber: number; productId: number; suggestedName: string };

/** The visitor's own review of a product, to be edited; also while it is held or hidden. */
export type OwnReview = {
  rating: number;
  comment: string;
  customerName: string | null;
  status: ReviewStatus;
};
