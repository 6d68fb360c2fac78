import { heroProductSlug, type Product, representsItsSizes } from "../../domain/catalog/product.ts";
import { type RatingSummary, summarizeRatings, sumRatingCounts } from "../../domain/reviews/review.ts";
import type { ChangeFeed } from "../platform/database/change-feed.ts";
import type { Database } from "../platform/database/database.ts";
import { pictureSizes } from "./pictures/sizes.ts";
import {
  listFamilyNames,
  listProductNames,
  listProducts,
  listSizes,
  listSizesBySlug,
  listUnpublishedSlugs,
  type ProductName,
} from "./queries.ts";
import { listMovedSlugs } from "./slugs.ts";

/** Published products, cached until they change. Each method notes its topics as dependencies of the page being rendered. */
export type PublishedProducts = {
  list(): Promise<Product[]>;
  /** Names without prices and stock, so that pages that show only names are not rendered again after each sale. */
  names(): Promise<ProductName[]>;
  /** One name for all sizes of a product, with the slug of its first published size. */
  familyNames(): Promise<ProductName[]>;
  /** The ids of all sizes of a product, published or not. */
  sizeIds(productId: number): Promise<number[]>;
  /** The published product with this slug; ignores case. */
  bySlug(slug: string): Promise<Product | null>;
  /** The published product with this slug or former slug; ignores case. */
  find(slug: string): Promise<Product | null>;
  /** The product sold on the home page, even if its slug has changed; if it has several sizes, the first published one. */
  hero(): Promise<Product | null>;
  /** The first published size of an unpublished product with this slug. */
  otherSize(slug: string): Promise<Product | null>;
  /** Whether this slug belongs to an unpublished product. */
  isUnpublished(slug: string): Promise<boolean>;
  ratingSummary(): Promise<RatingSummary>;
};

export function openPublishedProducts(db: Database, changes: ChangeFeed): PublishedProducts {
  // New views do not expire cached pages, which are renewed every minute anyway (page-cache.ts).
  const readPublished = changes.cached(
    ["catalog", "stock", "views", "reviews"],
    () => listProducts(db, pictureSizes),
    ["catalog", "stock"],
  );
  const unpublishedSlugs = changes.cached(["catalog"], () => listUnpublishedSlugs(db));
  const movedSlugs = changes.cached(["catalog"], () => listMovedSlugs(db));
  const list: PublishedProducts["list"] = () => {
    changes.dependOn("reviews");
    return readPublished();
  };
  const bySlug: PublishedProducts["bySlug"] = async (slug) => {
    const product =
      (await readPublished()).find((candidate) => candidate.slug === slug.toLowerCase()) ?? null;
    for (const { id } of product ? (product.family?.sizes ?? [product]) : [])
      changes.dependOn(`reviews:${id}`);
    return product;
  };
  const heroSizes = changes.cached(["catalog"], () => listSizesBySlug(db, heroProductSlug));
  /** The first of these products that is published. */
  const findFirstPublished = async (ids: readonly number[]) => {
    const published = await readPublished();
    const [product] = ids.flatMap((id) => published.find((candidate) => candidate.id === id) ?? []);
    return product ? bySlug(product.slug) : null;
  };
  const sizes = changes.cached(["catalog"], () => listSizes(db));
  const find: PublishedProducts["find"] = async (slug) =>
    bySlug((await movedSlugs()).get(slug.toLowerCase()) ?? slug);
  return {
    list,
    names: changes.cached(["catalog"], () => listProductNames(db)),
    familyNames: changes.cached(["catalog"], () => listFamilyNames(db)),
    sizeIds: async (productId) => (await sizes()).get(productId) ?? [productId],
    bySlug,
    find,
    hero: async () => (await findFirstPublished(await heroSizes())) ?? find(heroProductSlug),
    async otherSize(slug) {
      changes.dependOn("catalog");
      return findFirstPublished(await listSizesBySlug(db, slug.toLowerCase()));
    },
    isUnpublished: async (slug) => (await unpublishedSlugs()).has(slug.toLowerCase()),
    ratingSummary: async () =>
      summarizeRatings(
        sumRatingCounts((await list()).filter(representsItsSizes).map(({ ratingCounts }) => ratingCounts)),
      ),
  };
}
