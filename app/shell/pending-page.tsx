import { type ReactNode, useEffect, useState } from "react";
import { useLocation, useNavigation } from "react-router";
import { ProductSkeleton } from "../features/catalog/product-skeleton.tsx";
import { HomeSkeleton } from "../features/home/home-skeleton.tsx";
import { OrdersSkeleton } from "../features/orders/orders-skeleton.tsx";
import { ReviewsPageLoading } from "../features/reviews/list/reviews-loading.tsx";

/** Below this wait (ms) a skeleton would only flicker. */
const patience = 200;

/** While another page is on its way, its skeleton; pages without one keep the current page in sight. */
export function PendingPage({ children }: { children: ReactNode }) {
  const { state, location: next } = useNavigation();
  const { pathname } = useLocation();
  const waitsFor = state === "loading" && next.pathname !== pathname ? next.pathname : null;
  const [isSlow, setSlow] = useState(false);

  useEffect(() => {
    if (waitsFor === null) return;
    const timer = setTimeout(() => setSlow(true), patience);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [waitsFor]);

  if (isSlow && waitsFor === "/") return <HomeSkeleton />;
  if (isSlow && waitsFor?.startsWith("/product/")) return <ProductSkeleton />;
  if (isSlow && waitsFor === "/orders") return <OrdersSkeleton />;
  if (isSlow && waitsFor === "/reviews") return <ReviewsPageLoading />;
  return children;
}
