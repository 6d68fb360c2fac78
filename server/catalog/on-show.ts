import { heroProductSlug, leadsItsSizes, type Product } from "../../domain/catalog/product.ts";
import { type RatingSummary, summarizeRatings, sumRatingCounts } from "../../domain/reviews/review.ts";
import type { ChangeFeed } from "../platform/database/change-feed.ts";
import type { Database } from "../platform/database/database.ts";
import { pictureSizes } from "./pictures/sizes.ts";
import {
  listLeadingNames,
  listProductNames,
  listProducts,
  listSizes,
  listSizesOfSlug,
  listWithdrawnSlugs,
  type ProductName,
} from "./queries.ts";
import { listMovedSlugs } from "./slugs.ts";

/** What shoppers may see of the catalogue, kept in memory until it changes; a page that asks is noted as made of it. */
export type ProductsOnShow = {
  list(): Promise<Product[]>;
  /** Their names alone, which hardly ever change: a page that shows no more need not be made anew with every sale. */
  names(): Promise<ProductName[]>;
  /** One name for all sizes of a product, which leads to the first of them. */
  leadingNames(): Promise<ProductName[]>;
  /** A product and the other sizes of it, on show or not. */
  sizesOf(productId: number): Promise<number[]>;
  /** Capitals in `slug` count as small letters. */
  bySlug(slug: string): Promise<Product | null>;
  /** The product of this address, or of one that it had before. */
  find(slug: string): Promise<Product | null>;
  /** The one that the home page sells, under whatever address it has by now; of several sizes the first on show. */
  hero(): Promise<Product | null>;
  /** Of a product that is not on show: the first of its other sizes that is. */
  otherSize(slug: string): Promise<Product | null>;
  /** Whether there is a product of this name that is not on show. */
  isWithdrawn(slug: string): Promise<boolean>;
  /** What the reviews of all of them come to. */
  ratingSummary(): Promise<RatingSummary>;
};

export function productsOnShow(db: Database, changes: ChangeFeed): ProductsOnShow {
  // Views are no reason to make a page anew: the next minute will do (see page-cache.ts).
  const listed = changes.cached(
    ["catalog", "stock", "views", "reviews"],
    () => listProducts(db, pictureSizes),
    ["catalog", "stock"],
  );
  const withdrawn = changes.cached(["catalog"], () => listWithdrawnSlugs(db));
  const moved = changes.cached(["catalog"], () => listMovedSlugs(db));
  const list: ProductsOnShow["list"] = () => {
    changes.note("reviews");
    return listed();
  };
  const bySlug: ProductsOnShow["bySlug"] = async (slug) => {
    const product = (await listed()).find((one) => one.slug === slug.toLowerCase()) ?? null;
    for (const { id } of product ? (product.family?.sizes ?? [product]) : []) changes.note(`reviews:${id}`);
    return product;
  };
  const heroSizes = changes.cached(["catalog"], () => listSizesOfSlug(db, heroProductSlug));
  /** The first of these on show. */
  const leadingOf = async (ids: readonly number[]) => {
    const shown = await listed();
    const leading = ids.flatMap((id) => shown.find((product) => product.id === id) ?? [])[0];
    return leading ? bySlug(leading.slug) : null;
  };
  const sizes = changes.cached(["catalog"], () => listSizes(db));
  const find: ProductsOnShow["find"] = async (slug) =>
    bySlug((await moved()).get(slug.toLowerCase()) ?? slug);
  return {
    list,
    names: changes.cached(["catalog"], () => listProductNames(db)),
    leadingNames: changes.cached(["catalog"], () => listLeadingNames(db)),
    sizesOf: async (productId) => (await sizes()).get(productId) ?? [productId],
    bySlug,
    find,
    hero: async () => (await leadingOf(await heroSizes())) ?? find(heroProductSlug),
    async otherSize(slug) {
      changes.note("catalog");
      return leadingOf(await listSizesOfSlug(db, slug.toLowerCase()));
    },
    isWithdrawn: async (slug) => (await withdrawn()).has(slug.toLowerCase()),
    ratingSummary: async () =>
      summarizeRatings(
        sumRatingCounts((await list()).filter(leadsItsSizes).map(({ ratingCounts }) => ratingCounts)),
      ),
  };
}
