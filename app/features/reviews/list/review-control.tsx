import { lazy, Suspense } from "react";
import type { DeleteReviewProps } from "./delete-review.tsx";

const DeleteReview = lazy(() =>
  import("./delete-review.tsx").then((module) => ({ default: module.DeleteReview })),
);

/** The button to delete a review on a public page; `onDeleted` is null for all but admins. */
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
