import { Skeleton } from "../../../ui/skeleton.tsx";

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
