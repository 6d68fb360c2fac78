import type { ModeratedReview } from "../../../../domain/reviews/review.ts";
import { toast } from "../../../ui/toast.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** The question before a review is gone for good. */
export function DeleteReviewDialog({ review, onClose }: { review: ModeratedReview; onClose: () => void }) {
  const remove = useAdminAction("DELETE /api/reviews/:id", {
    success: { title: "Review deleted", description: "Your review has been successfully deleted." },
    failure: null,
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Delete this review?"
      description={`The review by ${review.customerName?.trim() || "Anonymous"} will be removed from the shop. This cannot be undone; hiding can.`}
      confirmLabel="Delete review"
      busyText="Deleting..."
      busy={remove.busy}
      problem={remove.problem}
      onConfirm={async () => {
        if ((await remove.run({ params: { id: review.id } })).ok) return onClose();
        toast({ title: "Error", description: "Failed to delete review. Please try again.", tone: "danger" });
      }}
    />
  );
}
