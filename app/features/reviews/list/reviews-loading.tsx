import { Spinner } from "../../../ui/button.tsx";

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
    </div>
  );
}
