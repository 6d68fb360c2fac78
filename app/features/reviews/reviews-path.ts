import type { ReviewListing } from "../../../domain/reviews/review.ts";

/** A listing's path in the API: `/api/reviews/product/1?limit=10`. Equal listings have equal paths. */
export function reviewsPath({ productId, limit, ...filter }: ReviewListing): string {
  const query = filterQuery(filter);
  query.set("limit", String(limit));
  return `/api/reviews${productId === undefined ? "" : `/product/${productId}`}?${query}`;
}

/** The parameters that pages and the API have in common. */
export function filterQuery({ sort, rating, hair, skin, photos, cursor }: Partial<ReviewListing>) {
  const query = new URLSearchParams();
  const parameters = { sort, rating, hair, skin, photos: photos && 1, cursor };
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, String(value));
  return query;
}
