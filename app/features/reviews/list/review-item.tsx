import type { Review } from "../../../../domain/reviews/review.ts";
import { HelpfulButton } from "./helpful-button.tsx";
import { ReviewBody, reviewerName } from "./review-body.tsx";
import { ReviewControl } from "./review-control.tsx";

export type ReviewItemProps = {
  review: Review;
  /** Name for an anonymous reviewer. */
  nameless: string;
  /** Null for all but admins, who can delete the review. */
  onDeleted: (() => void) | null;
  isOwn: boolean;
};

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
