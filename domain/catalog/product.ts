import * as v from "valibot";
import { ratingCountsSchema } from "../reviews/review.ts";
import { bundleSchema } from "./bundles.ts";
import { productImageSchema } from "./product-picture.ts";

export type { ProductImage } from "./product-picture.ts";

/** A product as pages and `GET /api/products` show it. `price` in integer cents. */
export const productSchema = v.object({
  id: v.number(),
  slug: v.string(),
  name: v.string(),
  shortDescription: v.string(),
  description: v.string(),
  price: v.number(),
  /** Several units at a price of their own, the smallest first; `price` stays that of one. */
  bundles: v.array(bundleSchema),
  currency: v.string(),
  size: v.string(),
  /** The trade item number below the bar code; null: it has none. */
  gtin: v.nullable(v.string()),
  /** The number its maker gave it; null: none. */
  mpn: v.nullable(v.string()),
  /** The shop's own number; null: none. */
  sku: v.nullable(v.string()),
  /** A former or recommended price in cents, to be shown struck through; null: there is none above the price. */
  compareAtPrice: v.nullable(v.number()),
  /** What it smells of, and how long it lasts, in the owner's words; null: nothing is said. */
  scent: v.nullable(v.string()),
  lasts: v.nullable(v.string()),
  /** An MP4 to play among its pictures; null: none. */
  videoUrl: v.nullable(v.string()),
  images: v.array(productImageSchema),
  benefits: v.array(v.string()),
  usage: v.string(),
  reviewCount: v.number(),
  averageRating: v.nullable(v.number()),
  /** How many reviews have 1, 2, ... 5 stars. */
  ratingCounts: ratingCountsSchema,
  viewCount: v.number(),
  isBestseller: v.boolean(),
  isNew: v.boolean(),
  inStock: v.boolean(),
  /** Shown only when 10 or fewer are left, else null. */
  stock: v.nullable(v.number()),
});
export type Product = v.InferOutput<typeof productSchema>;

/** The compare-at price that shoppers see beside a price; null: there is none above it. Both in cents. */
export function shownCompareAt(price: number, compareAt: number | null): number | null {
  return compareAt !== null && compareAt > price ? compareAt : null;
}

/** Units left at or under which the shopper is told how many. */
export const stockShownUpTo = 10;

/** The product the home page sells. */
export const heroProductSlug = "pure-batana-oil";
