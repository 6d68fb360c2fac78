import { Skeleton } from "../../ui/skeleton.tsx";
import { productGrid } from "./product-grid.ts";

export function ProductSkeleton() {
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
