import { Panel } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TwoColumns } from "../checkout/two-columns.tsx";

/** The cart's boxes while the browser reads its storage. */
export function CartSkeleton() {
  return (
    <TwoColumns aria-busy="true">
      <span role="status" className="sr-only">
        Loading your cart
      </span>
      <div className="grid grid-cols-[92px_1fr] gap-4 border-y border-line py-5 md:grid-cols-[104px_1fr_8rem] md:py-12">
        <Skeleton className="aspect-4/5" />
        <div className="grid content-start gap-3">
          <Skeleton className="h-5 w-3/5" />
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="mt-2 h-11 w-32" />
        </div>
      </div>
      <Panel className="grid gap-4">
        <Skeleton className="h-7 w-1/2" />
        <Skeleton className="h-16" />
        <Skeleton className="h-5" />
        <Skeleton className="h-5" />
        <Skeleton className="h-5" />
        <Skeleton className="h-13" />
      </Panel>
    </TwoColumns>
  );
}
