import { heroProductSlug } from "../../domain/catalog/product.ts";
import { summarizeRatings, sumRatingCounts } from "../../domain/reviews/review.ts";
import { pictureSizes } from "../catalog/image-variants.ts";
import { listProductNames, listProducts, listWithdrawnSlugs } from "../catalog/queries.ts";
import { listMovedSlugs } from "../catalog/slugs.ts";
import type { CheckoutParts } from "../checkout/parts.ts";
import type { Shop } from "../pages/shop.ts";
import type { ChangeFeed } from "../platform/change-feed.ts";
import { listReviews } from "../reviews/queries.ts";

export type GoodsParts = { checkout: CheckoutParts; changes: ChangeFeed };

type Goods = Pick<
  Shop,
  | "products"
  | "productNames"
  | "productBySlug"
  | "isWithdrawn"
  | "findProduct"
  | "heroProduct"
  | "reviews"
  | "ratingSummary"
>;

/** Products and reviews, kept in memory until they change; what a page has asked for is noted as what it is made of. */
export function goodsOnShow({ checkout: { db }, changes }: GoodsParts): Goods {
  // Views are no reason to make a page anew: the next minute will do (see page-cache.ts).
  const listed = changes.cached(
    ["catalog", "stock", "views", "reviews"],
    () => listProducts(db, pictureSizes),
    ["catalog", "stock"],
  );
  const withdrawn = changes.cached(["catalog"], () => listWithdrawnSlugs(db));
  const moved = changes.cached(["catalog"], () => listMovedSlugs(db));
  const products: Goods["products"] = () => {
    changes.note("reviews");
    return listed();
  };
  const productBySlug: Goods["productBySlug"] = async (slug) => {
    const product = (await listed()).find((one) => one.slug === slug.toLowerCase()) ?? null;
    if (product) changes.note(`reviews:${product.id}`);
    return product;
  };
  const findProduct: Goods["findProduct"] = async (slug) =>
    productBySlug((await moved()).get(slug.toLowerCase()) ?? slug);
  return {
    products,
    productNames: changes.cached(["catalog"], () => listProductNames(db)),
    productBySlug,
    findProduct,
    heroProduct: () => findProduct(heroProductSlug),
    isWithdrawn: async (slug) => (await withdrawn()).has(slug.toLowerCase()),
    reviews(listing) {
      changes.note("catalog", listing.productId === undefined ? "reviews" : `reviews:${listing.productId}`);
      return listReviews(db, listing);
    },
    ratingSummary: async () =>
      summarizeRatings(sumRatingCounts((await products()).map(({ ratingCounts }) => ratingCounts))),
  };
}
