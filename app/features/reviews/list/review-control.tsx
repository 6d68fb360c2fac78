import { lazy, Suspense } from "react";
import type { DeleteReviewProps } from "./delete-review.tsx";

const DeleteReview = lazy(() =>
  import("./delete-review.tsx").then((module) => ({ default: module.DeleteReview })),
);

/** What can be done with a review on a public page: an admin, who alone has `onDeleted`, can delete it. */
export function ReviewControl({
  onDeleted,
  ...props
}: Omit<DeleteReviewProps, "onDeleted"> & { onDeleted: (() => void) | null }) {
  if (onDeleted === null) return null;
  return (
    <Suspense>
      <DeleteReview {...props} onDeleted={onDeleted} />
    </Suspense>
  );
}
