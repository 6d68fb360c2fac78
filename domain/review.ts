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

/** A page of reviews. `total` counts all that the listing has. */
export type ReviewPage = { data: Review[]; nextCursor: string | null; total: number };

/** How many published reviews have 1, 2, ... 5 stars, of one product or of all. */
export type RatingCounts = readonly [number, number, number, number, number];

/** What reviews come to, derived from their counts. `average` has one decimal; null without reviews. */
export type RatingSummary = { count: number; average: number | null; counts: RatingCounts };

export function summarizeRatings(counts: RatingCounts): RatingSummary {
  const count = counts.reduce((sum, n) => sum + n, 0);
  const stars = counts.reduce((sum, n, index) => sum + n * (index + 1), 0);
  return { count, average: averageRating(stars, count), counts };
}

/** 4.6666 -> 4.7 */
export function averageRating(ratingSum: number, count: number): number | null {
  return count === 0 ? null : Math.round((ratingSum * 10) / count) / 10;
}

/** What an e-mailed review link stands for: whose purchase it proves. */
export type ReviewInvitation = { orderNumber: number; productId: number; suggestedName: string };

/** The visitor's own review of a product, to be edited; also while it is held or hidden. */
export type OwnReview = {
  rating: number;
  comment: string;
  customerName: string | null;
  status: ReviewStatus;
};
