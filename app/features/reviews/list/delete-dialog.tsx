import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { toast } from "../../../ui/toast.tsx";
import { callApi } from "../../api.ts";
import type { DeleteReviewProps } from "./delete-review.tsx";

const failure = "Failed to delete review. Please try again.";

export function DeleteDialog({
  review,
  name,
  failureTitle,
  onDeleted,
  onClose,
}: DeleteReviewProps & { onClose: () => void }) {
  const [isDeleting, setDeleting] = useState(false);

  const remove = async () => {
    setDeleting(true);
    const answer = await callApi("DELETE /api/reviews/:id", { params: { id: review.id } });
    onClose();
    if (answer.ok) {
      toast({ title: "Review deleted", description: "Your review has been successfully deleted." });
      onDeleted();
    } else if (failureTitle) toast({ title: failureTitle, tone: "danger" });
    else toast({ title: "Error", description: failure, tone: "danger" });
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !isDeleting && onClose()}
      title="Delete this review?"
      description={`The review by ${name} will be removed from the shop. This cannot be undone.`}
      actions={
        <>
          <Button variant="secondary" size="small" disabled={isDeleting} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger" size="small" busy={isDeleting} busyText="Deleting..." onClick={remove}>
            Delete review
          </Button>
        </>
      }
    />
  );
}
