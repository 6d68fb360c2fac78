import { Skeleton } from "../../ui/skeleton.tsx";
import { CheckoutHead } from "./checkout-head.tsx";
import { TwoColumns } from "./two-columns.tsx";

/** Checkout's boxes while the browser reads its storage. */
export function CheckoutSkeleton() {
  return (
    <>
      <CheckoutHead step={1} />
      <TwoColumns className="pb-16" aria-busy="true">
        <div className="grid max-w-(--container-form) gap-4.5 sm:grid-cols-2">
          <span role="status" className="sr-only">
            Loading checkout
          </span>
          <noscript>
            <p className="text-ink-muted">
              The cart and checkout need JavaScript. Please switch it on to buy.
            </p>
          </noscript>
          <Skeleton className="h-7 w-48 sm:col-span-2" />
          <Skeleton className="h-18" />
          <Skeleton className="h-18" />
          <Skeleton className="h-18 sm:col-span-2" />
          <Skeleton className="h-18 sm:col-span-2" />
          <Skeleton className="h-18 sm:col-span-2" />
        </div>
        <Skeleton className="hidden h-96 lg:block" />
      </TwoColumns>
    </>
  );
}
