import { asc, eq, inArray, isNotNull, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Bundle } from "../../domain/catalog/bundles.ts";
import {
  type Product,
  type ProductImage,
  shownCompareAt,
  stockShownUpTo,
} from "../../domain/catalog/product.ts";
import { type RatingCounts, summarizeRatings, sumRatingCounts } from "../../domain/reviews/review.ts";
import { stock } from "../inventory/tables.ts";
import { compiledStatement } from "../platform/database/compiled-statement.ts";
import type { Db } from "../platform/database/database.ts";
import { productRatings } from "../reviews/tables.ts";
import type { StoredPicture } from "./pictures/sizes.ts";
import { productBundles, productFamilies, productImages, productSlugs, products } from "./tables.ts";

/** Returns a stored picture with the URLs of its sizes. */
type ImageSizes = (picture: StoredPicture) => ProductImage;

/** The fields of a product that carts and checkout need. `free`: on hand minus reserved; 0 if unpublished. */
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

/** Price, bundles, free units and picture of these products, by product id; unknown ids are left out. */
export async function findSellable(
  db: Db,
  productIds: readonly number[],
): Promise<Map<number, SellableProduct>> {
  if (productIds.length === 0) return new Map();
  const rows = await sellable(db, { ids: productIds });
  return new Map(rows.map((row) => [row.id, row]));
}

/** The products of these lines. */
export async function findSellableForLines(db: Db, lines: readonly { productId: number }[]) {
  const ids = lines.map(({ productId }) => productId);
  return findSellable(db, ids);
}

const sellable = compiledStatement<{ ids: readonly number[] }, SellableProduct>(
  ({ ids }) => sql`
    select ${products.id}, ${products.slug}, ${products.name}, ${products.priceCents} as "priceCents",
      ${bundlesOnOffer} as bundles, ${products.published} as "isPublished",
      case when ${products.published} then coalesce(${stock.onHand} - ${stock.reserved}, 0) else 0 end as free,
      (select ${productImages.file} from ${productImages}
        where ${productImages.productId} = ${products.id} and ${productImages.status} = 'ready'
        order by ${productImages.position} limit 1) as "imageFile"
    from ${products} left join ${stock} on ${stock.productId} = ${products.id}
    where ${products.id} = any(array(select unnest(${ids}::int[])))`,
);

/** Published products, by id. */
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
      family: productFamilies,
    })
    .from(products)
    .leftJoin(productFamilies, eq(productFamilies.id, products.familyId))
    .leftJoin(stock, eq(stock.productId, products.id))
    .leftJoin(productRatings, eq(productRatings.productId, products.id))
    .where(eq(products.published, true))
    .orderBy(asc(products.id));
  const sizesByFamily = Map.groupBy(
    rows.toSorted((a, b) => (a.product.familyPosition ?? 0) - (b.product.familyPosition ?? 0)),
    ({ product }) => product.familyId,
  );
  return rows.map(({ product, bundles, free, images, ...row }) => {
    const sizes = (row.family && sizesByFamily.get(row.family.id)) ?? [];
    const ratings = sizes.length > 0 ? sizes.map((size) => size.ratings) : [row.ratings];
    // A size without pictures shows those of the first size that has some.
    const pictures = [images, ...sizes.map((size) => size.images)].find(({ length }) => length > 0) ?? [];
    return {
      ...sharedFields(product, bundles, ratings),
      family:
        row.family && sizes.length > 1
          ? {
              ...row.family,
              sizes: sizes.map(({ product: { id, slug, size, priceCents }, free }) => ({
                id,
                slug,
                size,
                price: priceCents,
                inStock: free > 0,
              })),
            }
          : null,
      images: pictures.map(imageSizes),
      inStock: free > 0,
      stock: free <= stockShownUpTo ? free : null,
    };
  });
}

export type ProductName = { id: number; name: string; slug: string };

export async function listProductNames(db: Db): Promise<ProductName[]> {
  return db
    .select({ id: products.id, name: products.name, slug: products.slug })
    .from(products)
    .where(eq(products.published, true))
    .orderBy(asc(products.id));
}

/** One name for all sizes of a product, with the slug of its first published size. */
export async function listFamilyNames(db: Db): Promise<ProductName[]> {
  const rows = await db
    .select({
      id: products.id,
      slug: products.slug,
      name: sql<string>`coalesce(${productFamilies.name}, ${products.name})`,
      familyId: products.familyId,
      position: products.familyPosition,
    })
    .from(products)
    .leftJoin(productFamilies, eq(productFamilies.id, products.familyId))
    .where(eq(products.published, true))
    .orderBy(asc(products.id));
  const families = Map.groupBy(rows, ({ id, familyId }) => familyId ?? `product ${id}`);
  return [...families.values()].flatMap((sizes) => {
    const [first] = sizes.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
    return first ? [{ id: first.id, name: first.name, slug: first.slug }] : [];
  });
}

/** For each product with several sizes, the ids of all its sizes, published or not. */
export async function listSizes(db: Db): Promise<Map<number, number[]>> {
  const rows = await db
    .select({ id: products.id, familyId: products.familyId })
    .from(products)
    .where(isNotNull(products.familyId))
    .orderBy(asc(products.familyId), asc(products.familyPosition));
  const families = Map.groupBy(rows, ({ familyId }) => familyId);
  return new Map(rows.map(({ id, familyId }) => [id, (families.get(familyId) ?? []).map((row) => row.id)]));
}

/** Ids of all sizes, published or not, of the product with this current or former slug, in order; empty if it has one size. */
export async function listSizesBySlug(db: Db, slug: string): Promise<number[]> {
  const match = alias(products, "match");
  const rows = await db
    .select({ id: products.id })
    .from(match)
    .innerJoin(products, eq(products.familyId, match.familyId))
    .where(
      or(
        eq(match.slug, slug),
        inArray(
          match.id,
          db.select({ id: productSlugs.productId }).from(productSlugs).where(eq(productSlugs.slug, slug)),
        ),
      ),
    )
    .orderBy(asc(products.familyPosition));
  return rows.map(({ id }) => id);
}

/** Current and former slugs of unpublished products. */
export async function listUnpublishedSlugs(db: Db): Promise<Set<string>> {
  const isUnpublished = eq(products.published, false);
  const rows = await db
    .select({ slug: products.slug })
    .from(products)
    .where(isUnpublished)
    .unionAll(
      db
        .select({ slug: productSlugs.slug })
        .from(productSlugs)
        .innerJoin(products, eq(products.id, productSlugs.productId))
        .where(isUnpublished),
    );
  return new Set(rows.map(({ slug }) => slug));
}

/** The product's fields that shop and panel share. `ratings` has one element for each size, null if it has no reviews. */
export function sharedFields(
  product: typeof products.$inferSelect,
  bundles: Bundle[],
  ratings: readonly (typeof productRatings.$inferSelect | null)[],
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
  const { count, average, counts } = summarizeRatings(
    sumRatingCounts(ratings.flatMap((row) => (row ? [ratingCounts(row)] : []))),
  );
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
