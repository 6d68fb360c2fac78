import MessageSquareQuote from "lucide-react/icons/message-square-quote";
import WifiOff from "lucide-react/icons/wifi-off";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { LinkArrow } from "../../../ui/link-arrow.tsx";
import { useIsAdmin } from "../../admin/unlocked-flag.ts";
import { OwnReview, useOwnReview, withoutOwn } from "../use-own-review.tsx";
import { type Reviews, useRefresh } from "../use-reviews.ts";
import { type ReviewedProduct, WriteReview } from "../write/write-review.tsx";
import { ReviewItem } from "./review-item.tsx";
import { ReviewScore, scoreBesideList, scoreColumn } from "./review-score.tsx";

/** The newest reviews on the home page. */
export function HomeReviews({
  reviews,
  products,
}: {
  reviews: Reviews;
  products: readonly ReviewedProduct[];
}) {
  const { page, sectionRef } = reviews;
  const isAdmin = useIsAdmin();
  const refresh = useRefresh(reviews);
  const { ownReview, showReview } = useOwnReview(products.map(({ id }) => id));
  const write = (
    <WriteReview
      products={products}
      onSent={(review) => {
        showReview(review);
        void refresh();
      }}
    />
  );
  return (
    <section ref={sectionRef} id="reviews" className="section bg-cream-soft">
      {page && page.data.length > 0 ? (
        <div className={`wrap ${scoreBesideList}`}>
          <div className={scoreColumn}>
            <h2>Customer Reviews</h2>
            {page.summary.average !== null && (
              <ReviewScore average={page.summary.average} count={page.summary.count} />
            )}
            {write}
          </div>
          <div>
            <OwnReview ownReview={ownReview} listedReviews={page.data} anonymousName="Anonymous" />
            <ul>
              {withoutOwn(page.data, ownReview).map((review) => (
                <ReviewItem
                  key={review.id}
                  review={review}
                  anonymousName="Anonymous"
                  isOwn={review.id === ownReview.review?.id}
                  onDeleted={isAdmin ? refresh : null}
                />
              ))}
            </ul>
            <p className="border-t border-line pt-4">
              <LinkArrow to="/reviews">{`View All Reviews (${page.total})`}</LinkArrow>
            </p>
          </div>
        </div>
      ) : (
        <div className="wrap">
          <h2>Customer Reviews</h2>
          {page ? (
            <>
              <OwnReview ownReview={ownReview} listedReviews={[]} anonymousName="Anonymous" />
              <EmptyState heading="h2" glyph={MessageSquareQuote} action={write}>
                <p className="text-lead text-ink">Be the first to share your experience with the product!</p>
              </EmptyState>
            </>
          ) : (
            <ReviewsUnavailable reviews={reviews} />
          )}
        </div>
      )}
    </section>
  );
}

function ReviewsUnavailable({ reviews }: { reviews: Reviews }) {
  const tryAgain = async () => {
    if (!(await reviews.refresh())) window.location.reload();
  };
  return (
    <EmptyState
      glyph={WifiOff}
      heading="h3"
      title="Unable to load reviews"
      role="alert"
      action={
        <Button variant="secondary" busy={reviews.isFetching} busyText="Trying..." onClick={tryAgain}>
          Try Again
        </Button>
      }
    >
      This might be due to a network issue.
    </EmptyState>
  );
}
