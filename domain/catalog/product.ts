import * as v from "valibot";
import { ratingCountsSchema } from "../reviews/review.ts";
import { bundleSchema } from "./bundles.ts";
import { productImageSchema } from "./product-picture.ts";

export type { ProductImage } from "./product-picture.ts";

export const sizeSchema = v.object({
  id: v.number(),
  slug: v.string(),
  size: v.string(),
  /** Cents. */
  price: v.number(),
  inStock: v.boolean(),
});

/** What products are sizes of: its name without a size, and the sizes in order. The first one leads. */
export const familySchema = v.object({ id: v.number(), name: v.string(), sizes: v.array(sizeSchema) });

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
  /** The sizes on show that it is one of; null: it is sold in one. */
  family: v.nullable(familySchema),
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
  /** Of all sizes together, as the two below. */
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

/** Whether a product stands for all of its sizes where only one of them is shown. */
export function leadsItsSizes({ id, family }: Pick<Product, "id" | "family">): boolean {
  return family === null || family.sizes[0]?.id === id;
}

/** What search engines know the sizes of one product by, in pages and in the product feed. */
export function sizesId(familyId: number): string {
  return `sizes-${familyId}`;
}

/** The compare-at price that shoppers see beside a price; null: there is none above it. Both in cents. */
export function shownCompareAt(price: number, compareAt: number | null): number | null {
  return compareAt !== null && compareAt > price ? compareAt : null;
}

/** Units left at or under which the shopper is told how many. */
export const stockShownUpTo = 10;

/** The product the home page sells. */
export const heroProductSlug = "pure-batana-oil";
