import { Link } from "react-router";
import { Card } from "../../../ui/card.tsx";
import { ReviewBody, reviewerName } from "./review-body.tsx";
import { ReviewControl } from "./review-control.tsx";
import type { ReviewItemProps } from "./review-item.tsx";

/** One review on the page of all of them, with the product it is about. */
export function ReviewCard({ review, nameless, onDeleted }: ReviewItemProps) {
  return (
    <li tabIndex={-1} className="grid outline-none">
      <Card className="flex flex-col p-6">
        <ReviewBody
          review={review}
          nameless={nameless}
          control={
            <ReviewControl
              review={review}
              name={reviewerName(review, nameless)}
              failureTitle="Failed to delete review. Please try again."
              onDeleted={onDeleted}
            />
          }
        />
        <p className="mt-auto pt-3">
          <Link
            to={`/product/${review.productSlug}`}
            className="link -my-1.5 inline-flex min-h-11 items-center text-small"
          >
            {review.productName || "Unknown Product"}
          </Link>
        </p>
      </Card>
    </li>
  );
}
