import type { Product } from "../../../domain/catalog/product.ts";
import type { ReviewPage } from "../../../domain/reviews/review.ts";

/** The product with the latest figures of its reviews, which may be newer than the page. */
export function ratedBy(product: Product, page: ReviewPage | null): Product {
  if (!page) return product;
  const { count, average } = page.summary;
  return { ...product, reviewCount: count, averageRating: average };
}
