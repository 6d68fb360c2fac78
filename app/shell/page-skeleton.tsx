import { productGrid } from "../features/catalog/product-grid.ts";
import { TwoColumns } from "../features/checkout/two-columns.tsx";
import { heroGrid, heroMedia } from "../features/home/hero-grid.ts";
import { ReviewsPageLoading } from "../features/reviews/list/reviews-loading.tsx";
import { Card } from "../ui/card.tsx";
import { LinkArrow } from "../ui/link-arrow.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

/** The skeleton of the page at this path; null if it has none. */
export function pageSkeleton(path: string) {
  if (path === "/") return <HomeSkeleton />;
  if (path.startsWith("/product/")) return <ProductSkeleton />;
  if (path === "/orders") return <OrdersSkeleton />;
  if (path === "/reviews") return <ReviewsPageLoading />;
  return null;
}

function ProductSkeleton() {
  return (
    <div role="status" className={productGrid}>
      <h1 className="sr-only">Loading product</h1>
      <div className="lg:grid lg:grid-cols-[84px_1fr] lg:items-start lg:gap-3">
        <Skeleton className="aspect-6/5 rounded-none md:aspect-4/5 md:max-h-[max(15rem,calc(100svh-8rem))] lg:order-2 lg:max-h-[max(36rem,calc(100svh-8rem))]" />
        <div className="grid grid-cols-5 gap-2 px-(--gutter) pt-2 md:px-0 lg:grid-cols-1 lg:gap-3 lg:pt-0">
          {["a", "b", "c", "d", "e"].map((thumb) => (
            <Skeleton key={thumb} className="aspect-square" />
          ))}
        </div>
      </div>
      <div className="px-(--gutter) pt-5 md:p-0">
        <Skeleton className="h-6 w-36" />
        <Skeleton className="mt-4 h-12 w-4/5" />
        <Skeleton className="mt-4 h-4 w-[45%]" />
        <Skeleton className="mt-4 h-7 w-[35%]" />
        <Skeleton className="mt-3 h-4" />
        <Skeleton className="mt-3 h-4 w-[96%]" />
        <Skeleton className="mt-3 h-4 w-[70%]" />
        <Skeleton className="mt-8 h-13" />
        <Skeleton className="mt-2.5 h-13" />
      </div>
    </div>
  );
}

function HomeSkeleton() {
  return (
    <section role="status" className={heroGrid.section}>
      <h1 className="sr-only">Loading product</h1>
      <div className={heroMedia}>
        <Skeleton className="h-full rounded-none" />
      </div>
      <div className={heroGrid.copy}>
        <Skeleton className="h-[clamp(2.8rem,6vw,5rem)] w-[88%]" />
        <Skeleton className="mt-5 h-4.5 w-[95%]" />
        <Skeleton className="mt-2.5 h-4.5 w-[62%]" />
        <Skeleton className="mt-5 h-4 w-[44%]" />
        <Skeleton className="mt-5 h-7 w-[38%]" />
        <div className={heroGrid.actions}>
          <Skeleton className="h-13" />
          <Skeleton className="h-13" />
        </div>
      </div>
    </section>
  );
}

function OrdersSkeleton() {
  return (
    <div className="wrap">
      <div className="page-head">
        <LinkArrow to="/account" back>
          Back to Account
        </LinkArrow>
        <h1 className="mt-2">My Orders</h1>
        <p role="status" className="mt-3 text-ink-muted">
          Loading your orders
        </p>
      </div>
      <TwoColumns aria-busy="true" className="pb-(--section-y)">
        <div className="grid gap-4">
          <CardSkeleton />
          <CardSkeleton />
        </div>
        <Skeleton className="h-72" />
      </TwoColumns>
    </div>
  );
}

function CardSkeleton() {
  return (
    <Card className="grid gap-4 p-5">
      <div className="flex justify-between">
        <Skeleton className="h-6 w-36" />
        <Skeleton className="h-6 w-22 rounded-full" />
      </div>
      <div className="grid grid-cols-[60px_1fr] items-center gap-4">
        <Skeleton className="h-18" />
        <div className="grid gap-2.5">
          <Skeleton className="h-4 w-3/5" />
          <Skeleton className="h-3.5 w-1/3" />
        </div>
      </div>
      <Skeleton className="h-9 w-1/2" />
    </Card>
  );
}
