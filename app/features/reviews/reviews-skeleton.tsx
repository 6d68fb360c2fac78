import { Skeleton } from "../../ui/skeleton.tsx";
import { ReviewsLoading } from "./reviews-loading.tsx";

const lines = ["w-[95%]", "w-[62%]"];

/** The place of reviews in a section. */
export function ReviewListSkeleton() {
  return (
    <div role="status" aria-label="Loading reviews">
      {[0, 1, 2].map((place) => (
        <div key={place} className="border-t border-line py-6">
          <ReviewSkeleton />
        </div>
      ))}
    </div>
  );
}

/** The page of all reviews on its way. */
export function ReviewsSkeleton() {
  return (
    <div className="wrap pb-(--section-y)">
      <div className="page-head">
        <h1>Customer Reviews</h1>
      </div>
      <ReviewsLoading />
      <div className="grid gap-5 md:grid-cols-2 min-[70rem]:grid-cols-3">
        {[0, 1, 2, 3, 4, 5].map((place) => (
          <div key={place} className="rounded-md border border-line bg-surface p-6">
            <ReviewSkeleton />
          </div>
        ))}
      </div>
    </div>
  );
}

function ReviewSkeleton() {
  return (
    <>
      <div className="flex items-center gap-3">
        <Skeleton className="size-11 rounded-full" />
        <Skeleton className="h-4 w-32" />
      </div>
      <Skeleton className="mt-4 h-4 w-24" />
      {lines.map((width) => (
        <Skeleton key={width} className={`mt-3 h-4 ${width}`} />
      ))}
    </>
  );
}
