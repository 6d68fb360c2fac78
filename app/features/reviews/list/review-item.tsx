import type { Review } from "../../../../domain/reviews/review.ts";
import { HelpfulButton } from "./helpful-button.tsx";
import { ReviewBody, reviewerName } from "./review-body.tsx";
import { ReviewControl } from "./review-control.tsx";

export type ReviewItemProps = {
  review: Review;
  /** What a reviewer without a name is called. */
  nameless: string;
  /** Given to an admin only: the control to delete it, and what to do once it is gone. */
  onDeleted: (() => void) | null;
  isOwn: boolean;
};

/** One review in a list of a section. */
export function ReviewItem({ review, nameless, onDeleted, isOwn }: ReviewItemProps) {
  return (
    <li tabIndex={-1} className="border-t border-line py-6 outline-none">
      <ReviewBody
        review={review}
        nameless={nameless}
        isOwn={isOwn}
        control={
          <ReviewControl review={review} name={reviewerName(review, nameless)} onDeleted={onDeleted} />
        }
      >
        {!isOwn && (
          <div className="mt-3">
            <HelpfulButton review={review} />
          </div>
        )}
      </ReviewBody>
    </li>
  );
}
