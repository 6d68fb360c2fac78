import type { Product } from "../../../../domain/catalog/product.ts";
import type { Question } from "../../../../domain/questions/question.ts";
import type { Review } from "../../../../domain/reviews/review.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { useIsAdmin } from "../../admin/unlocked-flag.ts";
import { AskAQuestion, QuestionList, QuietBlock } from "../../questions/product-questions.tsx";
import { OwnReview, type OwnReviewState, useOwnReview, withoutOwn } from "../use-own-review.tsx";
import { type Reviews, useRefresh } from "../use-reviews.ts";
import { type Invitation, WriteReview } from "../write/write-review.tsx";
import type { FilterLinks } from "./filter-links.ts";
import { LoadMore } from "./load-more.tsx";
import { PhotoStrip } from "./review-body.tsx";
import { RatingFilter, ReviewFilters } from "./review-filters.tsx";
import { ReviewItem } from "./review-item.tsx";
import { ReviewScore, scoreBesideList, scoreColumn } from "./review-score.tsx";

/**
 * Customer reviews of a product, then the questions about it. If either has no entries, one unobtrusive block states
 * that.
 */
export function ProductReviews({
  product,
  reviews,
  photoReviews,
  links,
  invitation,
  questions,
}: {
  product: Product;
  reviews: Reviews;
  /** Reviews for the strip of photos, in its order. */
  photoReviews: readonly Review[];
  links: FilterLinks | null;
  invitation: Invitation | null;
  questions: readonly Question[];
}) {
  const isAdmin = useIsAdmin();
  const refresh = useRefresh(reviews);
  const title = `Customer Reviews (${product.reviewCount})`;
  const { ownReview, showReview } = useOwnReview([product.id]);
  const write = (
    <WriteReview
      products={[product]}
      invitation={invitation}
      onSent={(review) => {
        showReview(review);
        void refresh();
      }}
    />
  );
  const hasQuestions = questions.length > 0;
  if (product.averageRating === null) {
    return (
      <>
        <section ref={reviews.sectionRef} className="wrap section">
          <OwnReview ownReview={ownReview} listedReviews={[]} anonymousName="Anonymous User" />
          <QuietBlock>
            <div id="reviews">
              <h2 className="text-h3">{title}</h2>
              <p className="mt-2 mb-5 text-ink-muted">Be the first to review this product</p>
              {write}
            </div>
            {!hasQuestions && <AskAQuestion product={product} />}
          </QuietBlock>
        </section>
        {hasQuestions && <QuestionList product={product} questions={questions} />}
      </>
    );
  }
  return (
    <>
      <section ref={reviews.sectionRef} id="reviews" className={`wrap section ${scoreBesideList}`}>
        <div className={scoreColumn}>
          <h2>{title}</h2>
          <ReviewScore average={product.averageRating} count={product.reviewCount} />
          {reviews.page && links && <RatingFilter links={links} counts={reviews.page.summary.counts} />}
          {write}
        </div>
        <div className="min-w-0">
          <PhotoStrip reviews={photoReviews} anonymousName="Anonymous User" />
          {links && (
            <div className="mb-6">
              <ReviewFilters links={links} />
            </div>
          )}
          <OwnReview
            ownReview={ownReview}
            listedReviews={reviews.page?.data ?? []}
            anonymousName="Anonymous User"
          />
          <ProductReviewList
            reviews={reviews}
            ownReview={ownReview}
            nextPageUrl={links ? links.nextPagePrefix + reviews.page?.nextCursor : "/reviews"}
            onDeleted={isAdmin ? refresh : null}
          />
        </div>
      </section>
      {hasQuestions ? (
        <QuestionList product={product} questions={questions} />
      ) : (
        <section className="wrap section pt-0">
          <QuietBlock>
            <AskAQuestion product={product} />
          </QuietBlock>
        </section>
      )}
    </>
  );
}

function ProductReviewList({
  reviews,
  ownReview,
  nextPageUrl,
  onDeleted,
}: {
  reviews: Reviews;
  ownReview: OwnReviewState;
  nextPageUrl: string;
  onDeleted: (() => void) | null;
}) {
  const { page, isFetching } = reviews;
  if (!page && isFetching) {
    return (
      <div role="status" aria-label="Loading reviews">
        <Skeleton className="h-96" />
      </div>
    );
  }
  if (!page || page.data.length === 0) {
    return <p className="text-ink-muted">No reviews available at this moment.</p>;
  }
  return (
    <LoadMore reviews={reviews} to={nextPageUrl}>
      <ul>
        {withoutOwn(page.data, ownReview).map((review) => (
          <ReviewItem
            key={review.id}
            review={review}
            anonymousName="Anonymous User"
            isOwn={review.id === ownReview.review?.id}
            onDeleted={onDeleted}
          />
        ))}
      </ul>
    </LoadMore>
  );
}
