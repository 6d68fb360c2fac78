import { type ReactNode, useEffect, useState } from "react";
import { Outlet, useLocation, useNavigation, useRouteLoaderData } from "react-router";
import { ProductSkeleton } from "../features/catalog/product-skeleton.tsx";
import { HomeSkeleton } from "../features/home/home-skeleton.tsx";
import { OrdersSkeleton } from "../features/orders/orders-skeleton.tsx";
import { ReviewsPageLoading } from "../features/reviews/list/reviews-loading.tsx";
import type { loader } from "../root.tsx";
import type { Route } from "./+types/shell";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { PageProblem } from "./page-problem.tsx";

/** Header, page, footer. */
export default function Shell() {
  return (
    <Frame>
      <PendingPage>
        <Outlet />
      </PendingPage>
    </Frame>
  );
}

/** A page that fails keeps its header and footer: the rest of the shop is still there. */
export function ErrorBoundary(_: Route.ErrorBoundaryProps) {
  return (
    <Frame>
      <PageProblem />
    </Frame>
  );
}

function Frame({ children }: { children: ReactNode }) {
  const frame = useRouteLoaderData<typeof loader>("root");
  return (
    <>
      <Header />
      <main id="main" tabIndex={-1} className="outline-none">
        {children}
      </main>
      {frame && <Footer frame={frame} />}
    </>
  );
}

/** Below this wait (ms) a skeleton would only flicker. */
const patience = 200;

/** While another page is on its way, its skeleton; pages without one keep the current page in sight. */
function PendingPage({ children }: { children: ReactNode }) {
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
