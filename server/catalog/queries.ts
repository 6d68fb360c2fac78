import { asc, eq, inArray, sql } from "drizzle-orm";
import type { Bundle } from "../../domain/catalog/bundles.ts";
import {
  type Product,
  type ProductImage,
  shownCompareAt,
  stockShownUpTo,
} from "../../domain/catalog/product.ts";
import { type RatingCounts, summarizeRatings } from "../../domain/reviews/review.ts";
import { stock } from "../inventory/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { productRatings } from "../reviews/tables.ts";
import type { StoredPicture } from "./pictures/sizes.ts";
import { productBundles, productImages, productSlugs, products } from "./tables.ts";

/** Turns a stored picture into the sizes that were made of it. */
export type ImageSizes = (picture: StoredPicture) => ProductImage;

/** What selling needs to know of products. `free` is on hand and not promised; unpublished ones have none free. */
export type SellableProduct = {
  id: number;
  slug: string;
  name: string;
  priceCents: number;
  bundles: Bundle[];
  free: number;
  isPublished: boolean;
  imageFile: string | null;
};

/** The bundles that a product has on offer, the smallest first. */
export const bundlesOnOffer = sql<Bundle[]>`coalesce((
  select json_agg(json_build_object('quantity', ${productBundles.quantity}, 'price', ${productBundles.priceCents})
    order by ${productBundles.quantity})
  from ${productBundles}
  where ${productBundles.productId} = ${products.id} and ${productBundles.active}), '[]')`;

/** Ids that no product has are missing from the answer. */
export async function findSellable(
  db: Db,
  productIds: readonly number[],
): Promise<Map<number, SellableProduct>> {
  if (productIds.length === 0) return new Map();
  const rows = await db
    .select({
      id: products.id,
      slug: products.slug,
      name: products.name,
      priceCents: products.priceCents,
      bundles: bundlesOnOffer,
      isPublished: products.published,
      free: sql<number>`case when ${products.published} then coalesce(${stock.onHand} - ${stock.reserved}, 0) else 0 end`,
      imageFile: sql<string | null>`(select ${productImages.file} from ${productImages}
        where ${productImages.productId} = ${products.id} and ${productImages.status} = 'ready'
        order by ${productImages.position} limit 1)`,
    })
    .from(products)
    .leftJoin(stock, eq(stock.productId, products.id))
    .where(inArray(products.id, [...productIds]));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Products on show, whole, by id. */
export async function listProducts(db: Db, imageSizes: ImageSizes): Promise<Product[]> {
  const rows = await db
    .select({
      product: products,
      bundles: bundlesOnOffer,
      free: sql<number>`coalesce(${stock.onHand} - ${stock.reserved}, 0)`,
      images: sql<StoredPicture[]>`coalesce((
        select json_agg(json_build_object('file', ${productImages.file}, 'alt', ${productImages.alt},
          'width', ${productImages.width}, 'height', ${productImages.height}) order by ${productImages.position})
        from ${productImages}
        where ${productImages.productId} = ${products.id} and ${productImages.status} = 'ready'), '[]')`,
      ratings: productRatings,
    })
    .from(products)
    .leftJoin(stock, eq(stock.productId, products.id))
    .leftJoin(productRatings, eq(productRatings.productId, products.id))
    .where(eq(products.published, true))
    .orderBy(asc(products.id));
  return rows.map(({ product, bundles, free, images, ratings }) => ({
    ...shownProduct(product, bundles, ratings),
    images: images.map(imageSizes),
    inStock: free > 0,
    stock: free <= stockShownUpTo ? free : null,
  }));
}

export type ProductName = { id: number; name: string; slug: string };

/** What products on show are called, by id. */
export async function listProductNames(db: Db): Promise<ProductName[]> {
  return db
    .select({ id: products.id, name: products.name, slug: products.slug })
    .from(products)
    .where(eq(products.published, true))
    .orderBy(asc(products.id));
}

/** Addresses, former ones too, of products that are not on show, or no more. */
export async function listWithdrawnSlugs(db: Db): Promise<Set<string>> {
  const isWithdrawn = eq(products.published, false);
  const rows = await db
    .select({ slug: products.slug })
    .from(products)
    .where(isWithdrawn)
    .unionAll(
      db
        .select({ slug: productSlugs.slug })
        .from(productSlugs)
        .innerJoin(products, eq(products.id, productSlugs.productId))
        .where(isWithdrawn),
    );
  return new Set(rows.map(({ slug }) => slug));
}

/** What shoppers and the owner see of a product alike; `ratings` null: it has no reviews. */
export function shownProduct(
  product: typeof products.$inferSelect,
  bundles: Bundle[],
  ratings: typeof productRatings.$inferSelect | null,
) {
  const {
    id,
    slug,
    name,
    shortDescription,
    description,
    currency,
    size,
    gtin,
    mpn,
    sku,
    scent,
    lasts,
    videoUrl,
    benefits,
    usage,
  } = product;
  const { viewCount, isBestseller, isNew } = product;
  const { count, average, counts } = summarizeRatings(ratings ? ratingCounts(ratings) : [0, 0, 0, 0, 0]);
  return {
    id,
    slug,
    name,
    shortDescription,
    description,
    price: product.priceCents,
    bundles,
    currency,
    size,
    gtin,
    mpn,
    sku,
    compareAtPrice: shownCompareAt(product.priceCents, product.compareAtPrice),
    scent,
    lasts,
    videoUrl,
    benefits,
    usage,
    reviewCount: count,
    averageRating: average,
    ratingCounts: counts,
    viewCount,
    isBestseller,
    isNew,
  };
}

function ratingCounts(row: typeof productRatings.$inferSelect): RatingCounts {
  return [row.stars1, row.stars2, row.stars3, row.stars4, row.stars5];
}
