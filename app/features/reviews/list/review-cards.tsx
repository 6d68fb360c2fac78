import { Link, useNavigation } from "react-router";
import { Card } from "../../../ui/card.tsx";
import { LinkArrow } from "../../../ui/link-arrow.tsx";
import { useIsAdmin } from "../../admin/unlocked-flag.ts";
import { OwnReview, type OwnReviewState, withoutOwn } from "../use-own-review.tsx";
import { type Reviews, useRefresh } from "../use-reviews.ts";
import type { FilterLinks } from "./filter-links.ts";
import { LoadMore } from "./load-more.tsx";
import { ReviewBody, reviewerName } from "./review-body.tsx";
import { HelpfulButton, ReviewControl, type ReviewItemProps } from "./review-item.tsx";
import { ReviewsLoading, reviewGrid } from "./reviews-loading.tsx";

/** All reviews as cards. `isContinued`: the list is a later page, which browsers without JavaScript open. */
export function ReviewCards({
  reviews,
  ownReview,
  links,
  isContinued,
}: {
  reviews: Reviews;
  ownReview: OwnReviewState;
  links: FilterLinks;
  isContinued: boolean;
}) {
  const isAdmin = useIsAdmin();
  const refresh = useRefresh(reviews);
  const { state, location: nextLocation } = useNavigation();
  const isFiltering = state === "loading" && nextLocation.pathname === "/reviews";
  const { data: listedReviews = [], nextCursor = null } = reviews.page ?? {};
  return (
    <>
      <OwnReview ownReview={ownReview} listedReviews={listedReviews} anonymousName="Anonymous" />
      {listedReviews.length === 0 && <p className="py-6 text-ink-muted">No reviews found.</p>}
      {isContinued && (
        <p className="mb-5">
          <LinkArrow to={links.currentPath} back>
            Back to the first reviews
          </LinkArrow>
        </p>
      )}
      {isFiltering && <ReviewsLoading />}
      <LoadMore reviews={reviews} to={links.nextPagePrefix + nextCursor}>
        <ul className={`${reviewGrid} ${isFiltering ? "opacity-60" : ""}`}>
          {withoutOwn(listedReviews, ownReview).map((review) => (
            <ReviewCard
              key={review.id}
              review={review}
              anonymousName="Anonymous"
              isOwn={review.id === ownReview.review?.id}
              onDeleted={isAdmin ? refresh : null}
            />
          ))}
        </ul>
      </LoadMore>
    </>
  );
}

/** A review on the page of all reviews, with a link to its product. */
function ReviewCard({ review, anonymousName, onDeleted, isOwn }: ReviewItemProps) {
  return (
    <li tabIndex={-1} className="outline-none">
      <Card className="p-6">
        <ReviewBody
          review={review}
          anonymousName={anonymousName}
          isOwn={isOwn}
          control={
            <ReviewControl
              review={review}
              name={reviewerName(review, anonymousName)}
              failureTitle="Failed to delete review. Please try again."
              onDeleted={onDeleted}
            />
          }
        />
        <div className="-mb-2.5 flex flex-wrap items-center justify-between gap-x-4 pt-1.5">
          <Link
            to={`/product/${review.productSlug}`}
            className="inline-flex min-h-11 items-center text-caption text-ink-muted underline decoration-line-strong underline-offset-[.25em] hover:text-ink"
          >
            {review.productName || "Unknown Product"}
          </Link>
          {!isOwn && <HelpfulButton review={review} />}
        </div>
      </Card>
    </li>
  );
}
