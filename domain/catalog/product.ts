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

/** Products that are sizes of each other: their name without a size, and the sizes. Lists show the first one for all. */
export const familySchema = v.object({ id: v.number(), name: v.string(), sizes: v.array(sizeSchema) });

/** A product on pages and in `GET /api/products`. `price` in cents. */
export const productSchema = v.object({
  id: v.number(),
  slug: v.string(),
  name: v.string(),
  shortDescription: v.string(),
  description: v.string(),
  price: v.number(),
  /** Smallest first. `price` is that of one unit. */
  bundles: v.array(bundleSchema),
  currency: v.string(),
  size: v.string(),
  /** The family's published sizes; null if the product has no sizes. */
  family: v.nullable(familySchema),
  /** The number below the bar code; null if there is none. */
  gtin: v.nullable(v.string()),
  /** The maker's part number; null if there is none. */
  mpn: v.nullable(v.string()),
  /** The shop's stock number; null if there is none. */
  sku: v.nullable(v.string()),
  /** A former or recommended price in cents, shown struck through; null if it is not above the price. */
  compareAtPrice: v.nullable(v.number()),
  /** Smell and duration of use in the owner's words; null if it is not shown. */
  scent: v.nullable(v.string()),
  lasts: v.nullable(v.string()),
  /** An MP4 shown among its pictures; null if there is none. */
  videoUrl: v.nullable(v.string()),
  images: v.array(productImageSchema),
  benefits: v.array(v.string()),
  usage: v.string(),
  /** This and the next two fields cover all sizes together. */
  reviewCount: v.number(),
  averageRating: v.nullable(v.number()),
  /** Number of reviews with 1, 2, ... 5 stars. */
  ratingCounts: ratingCountsSchema,
  viewCount: v.number(),
  isBestseller: v.boolean(),
  isNew: v.boolean(),
  inStock: v.boolean(),
  /** Only if 10 or fewer are left; otherwise null. */
  stock: v.nullable(v.number()),
});
export type Product = v.InferOutput<typeof productSchema>;

/** Whether the product represents all of its sizes in lists. */
export function representsItsSizes({ id, family }: Pick<Product, "id" | "family">): boolean {
  return family === null || family.sizes[0]?.id === id;
}

/** Id of a product group in pages' structured data and in the product feed. */
export function sizesId(familyId: number): string {
  return `sizes-${familyId}`;
}

/** The compare-at price to show beside a price; null if it is not above the price. Both in cents. */
export function shownCompareAt(price: number, compareAt: number | null): number | null {
  return compareAt !== null && compareAt > price ? compareAt : null;
}

/** Up to this number of units, shoppers see how many are left. */
export const stockShownUpTo = 10;

/** The product the home page sells. */
export const heroProductSlug = "pure-batana-oil";
