import { Card } from "../../ui/card.tsx";
import { LinkArrow } from "../../ui/link-arrow.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TwoColumns } from "../checkout/two-columns.tsx";

/** The list of orders while it is on its way. */
export function OrdersSkeleton() {
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
