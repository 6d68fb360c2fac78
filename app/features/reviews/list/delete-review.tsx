import Trash2 from "lucide-react/icons/trash-2";
import { useState } from "react";
import type { Review } from "../../../../domain/reviews/review.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";

export type DeleteReviewProps = {
  review: Review;
  /** Whose review it is, as the page calls them. */
  name: string;
  /** The toast of a failure; without it "Error", and the sentence below. */
  failureTitle?: string;
  onDeleted: () => void;
};

/** The control of an unlocked admin; the server decides whether it is one. Shoppers never load it. */
export function DeleteReview(props: DeleteReviewProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <IconButton
        label={`Delete review by ${props.name}`}
        className="-mt-2 -mr-2 self-start text-danger hover:bg-danger-bg"
        onClick={() => setAsking(true)}
      >
        <Icon glyph={Trash2} />
      </IconButton>
      {isAsking && <DeleteDialog {...props} onClose={() => setAsking(false)} />}
    </>
  );
}
