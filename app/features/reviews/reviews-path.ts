import type { ReviewListing } from "../../../domain/reviews/review.ts";

/** A listing's address in the API: `/api/reviews/product/1?limit=10`. The same listing always has the same one. */
export function reviewsPath({ productId, limit, sort, stars, cursor }: ReviewListing): string {
  const query = new URLSearchParams({ limit: String(limit) });
  if (sort) query.set("sort", sort);
  if (stars) query.set("stars", String(stars));
  if (cursor) query.set("cursor", cursor);
  return `/api/reviews${productId === undefined ? "" : `/product/${productId}`}?${query}`;
}
