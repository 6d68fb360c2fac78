import { ProductSkeleton } from "../features/catalog/product-skeleton.tsx";
import { HomeSkeleton } from "../features/home/home-skeleton.tsx";
import { OrdersSkeleton } from "../features/orders/orders-skeleton.tsx";
import { ReviewsPageLoading } from "../features/reviews/list/reviews-loading.tsx";

/** The skeleton of the page at this path; null where it has none. */
export function skeletonOf(path: string) {
  if (path === "/") return <HomeSkeleton />;
  if (path.startsWith("/product/")) return <ProductSkeleton />;
  if (path === "/orders") return <OrdersSkeleton />;
  if (path === "/reviews") return <ReviewsPageLoading />;
  return null;
}
