import { Spinner } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";

/** Review cards in rows. */
export const reviewGrid = "grid items-start gap-5 md:grid-cols-2 min-[70rem]:grid-cols-3";

export function ReviewsLoading() {
  return (
    <p role="status" className="flex items-center gap-3 pb-6 text-ink-muted">
      <Spinner /> Loading reviews...
    </p>
  );
}

export function ReviewsPageLoading() {
  return (
    <div className="wrap min-h-[70vh]">
      <div className="page-head">
        <h1>Customer Reviews</h1>
      </div>
      <ReviewsLoading />
      <div className={reviewGrid}>
        <Skeleton className="h-64" />
        <Skeleton className="h-64" />
        <Skeleton className="h-64" />
      </div>
    </div>
  );
}
