import Trash2 from "lucide-react/icons/trash-2";
import { useState } from "react";
import type { Review } from "../../../../domain/reviews/review.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { toast } from "../../../ui/toast.tsx";
import { callApi } from "../../api.ts";

export type DeleteReviewProps = {
  review: Review;
  /** The reviewer's name as shown on the page. */
  name: string;
  /** Title of the toast after a failure; by default "Error" with a description. */
  failureTitle?: string;
  onDeleted: () => void;
};

/** The delete button of a signed-in admin; the server checks the rights. Shoppers never load it. */
export function DeleteReview(props: DeleteReviewProps) {
  const [isConfirming, setConfirming] = useState(false);
  return (
    <>
      <IconButton
        label={`Delete review by ${props.name}`}
        className="-mt-2 -mr-2 self-start text-danger hover:bg-danger-bg"
        onClick={() => setConfirming(true)}
      >
        <Icon glyph={Trash2} />
      </IconButton>
      {isConfirming && <DeleteDialog {...props} onClose={() => setConfirming(false)} />}
    </>
  );
}

const failure = "Failed to delete review. Please try again.";

function DeleteDialog({
  review,
  name,
  failureTitle,
  onDeleted,
  onClose,
}: DeleteReviewProps & { onClose: () => void }) {
  const [isDeleting, setDeleting] = useState(false);

  const remove = async () => {
    setDeleting(true);
    const response = await callApi("DELETE /api/reviews/:id", { params: { id: review.id } });
    onClose();
    if (response.ok) {
      toast({ title: "Review deleted", description: "Your review has been successfully deleted." });
      onDeleted();
    } else if (failureTitle) toast({ title: failureTitle, tone: "danger" });
    else toast({ title: "Error", description: failure, tone: "danger" });
  };

  return (
    <Dialog
      onClose={() => isDeleting || onClose()}
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
