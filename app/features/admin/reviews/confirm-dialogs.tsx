import type { ModeratedReview } from "../../../../domain/reviews/review.ts";
import { TextArea } from "../../../ui/text-area.tsx";
import { toast } from "../../../ui/toast.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { useAdminForm } from "../kit/use-admin-form.ts";

/** Ratings that are not hidden without saying why; the server holds to it. */
const poorRatingMax = 2;

/** Asks why before a review is taken from the shop's pages. */
export function HideReviewDialog({ review, onClose }: { review: ModeratedReview; onClose: () => void }) {
  const form = useAdminForm(
    "PATCH /api/admin/reviews/:id",
    { reason: "" },
    { success: { title: "Review hidden" } },
  );
  const { reason } = form.values;
  const isPoor = review.rating <= poorRatingMax;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Hide this review?"
      description={
        isPoor
          ? "It leaves the shop’s pages and no longer counts in the average. Hiding a poor review takes a reason: shoppers trust a shop that shows them."
          : "It leaves the shop’s pages and no longer counts in the average. You can publish it again."
      }
      confirmLabel="Hide review"
      busyText="Hiding..."
      form={{ busy: form.busy, problem: form.fields.reason ? null : form.problem }}
      danger={false}
      send={() => {
        const body = { status: "hidden", reason } as const;
        return form.run({ params: { id: review.id }, body });
      }}
    >
      <TextArea
        {...form.field("reason")}
        className="mt-4"
        label="Reason"
        hint="For you alone; it is kept in Activity. Leave names out."
        optional={!isPoor}
        required={isPoor}
        maxLength={500}
      />
    </ConfirmDialog>
  );
}

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
      form={remove}
      send={async () => {
        const answer = await remove.run({ params: { id: review.id } });
        if (!answer.ok)
          toast({
            title: "Error",
            description: "Failed to delete review. Please try again.",
            tone: "danger",
          });
        return answer;
      }}
    />
  );
}
