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

/** A page of reviews, newest first. `total` counts all of them. */
export type ReviewPage = { data: Review[]; nextCursor: string | null; total: number };

/** 4.6666 -> 4.7 */
export function averageRating(ratingSum: number, count: number): number | null {
  return count === 0 ? null : Math.round((ratingSum * 10) / count) / 10;
}
