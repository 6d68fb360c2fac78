import type { RatingCounts } from "../reviews/review.ts";

/** One picture of a product, ready for `<picture>`. `srcset` values are ready-made attribute strings. */
export type ProductImage = {
  url: string;
  alt: string;
  width: number;
  height: number;
  srcset: { avif: string; webp: string };
};

/** A product as pages and `GET /api/products` show it. `price` in integer cents. */
export type Product = {
  id: number;
  slug: string;
  name: string;
  shortDescription: string;
  description: string;
  price: number;
  currency: string;
  size: string;
  images: ProductImage[];
  benefits: string[];
  usage: string;
  reviewCount: number;
  averageRating: number | null;
  /** How many reviews have 1, 2, ... 5 stars. */
  ratingCounts: RatingCounts;
  viewCount: number;
  isBestseller: boolean;
  isNew: boolean;
  inStock: boolean;
  /** Shown only when 10 or fewer are left, else null. */
  stock: number | null;
};

/** Units left at or under which the shopper is told how many. */
export const stockShownUpTo = 10;

/** The product the home page sells. */
export const heroProductSlug = "pure-batana-oil";
