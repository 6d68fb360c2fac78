import MessageSquareQuote from "lucide-react/icons/message-square-quote";
import type { Product } from "../../../../domain/catalog/product.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { useIsAdmin } from "../../admin/unlocked-flag.ts";
import { type Own, OwnReview, useOwnReview, withoutOwn } from "../use-own-review.tsx";
import { type Reviews, useRefresh } from "../use-reviews.ts";
import { type Invitation, WriteReview } from "../write/write-review.tsx";
import type { FilterLinks } from "./filter-links.ts";
import { LoadMore } from "./load-more.tsx";
import { RatingFilter, ReviewFilters } from "./review-filters.tsx";
import { ReviewItem } from "./review-item.tsx";
import { ReviewScore, scoreBesideList, scoreColumn } from "./review-score.tsx";

/** Customer reviews of a product. */
export function ProductReviews({
  product,
  reviews,
  links,
  invitation,
}: {
  product: Product;
  reviews: Reviews;
  links: FilterLinks | null;
  invitation: Invitation | null;
}) {
  const isAdmin = useIsAdmin();
  const refresh = useRefresh(reviews);
  const title = `Customer Reviews (${product.reviewCount})`;
  const { own, keep } = useOwnReview([product.id]);
  const write = (
    <WriteReview
      products={[product]}
      invitation={invitation}
      onSent={(review) => {
        keep(review);
        void refresh();
      }}
    />
  );
  if (product.averageRating === null) {
    return (
      <section ref={reviews.place} id="reviews" className="wrap section">
        <h2>{title}</h2>
        <OwnReview own={own} listed={[]} nameless="Anonymous User" />
        <EmptyState glyph={MessageSquareQuote} action={write}>
          <p className="text-lead text-ink">Be the first to review this product</p>
        </EmptyState>
      </section>
    );
  }
  return (
    <section ref={reviews.place} id="reviews" className={`wrap section ${scoreBesideList}`}>
      <div className={scoreColumn}>
        <h2>{title}</h2>
        <ReviewScore average={product.averageRating} count={product.reviewCount} />
        {reviews.page && links && <RatingFilter links={links} counts={reviews.page.summary.counts} />}
        {write}
      </div>
      <div>
        {links && (
          <div className="mb-6">
            <ReviewFilters links={links} />
          </div>
        )}
        <OwnReview own={own} listed={reviews.page?.data ?? []} nameless="Anonymous User" />
        <ProductReviewList
          reviews={reviews}
          own={own}
          more={links ? links.next + reviews.page?.nextCursor : "/reviews"}
          onDeleted={isAdmin ? refresh : null}
        />
      </div>
    </section>
  );
}

function ProductReviewList({
  reviews,
  own,
  more,
  onDeleted,
}: {
  reviews: Reviews;
  own: Own | null;
  more: string;
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
    <LoadMore reviews={reviews} to={more}>
      <ul>
        {withoutOwn(page.data, own).map((review) => (
          <ReviewItem
            key={review.id}
            review={review}
            nameless="Anonymous User"
            isOwn={review.id === own?.review.id}
            onDeleted={onDeleted}
          />
        ))}
      </ul>
    </LoadMore>
  );
}
