import MessageSquareQuote from "lucide-react/icons/message-square-quote";
import type { Product } from "../../../domain/product.ts";
import type { ReviewPage } from "../../../domain/review.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { RatingBars } from "./rating-bars.tsx";
import { ReviewItem } from "./review-item.tsx";
import { ReviewScore } from "./review-score.tsx";

/** Customer reviews of a product; `page` is null where they could not be read. */
export function ProductReviews({ product, page }: { product: Product; page: ReviewPage | null }) {
  const title = `Customer Reviews (${product.reviewCount})`;
  if (product.averageRating === null) {
    return (
      <section id="reviews" className="wrap section">
        <h2>{title}</h2>
        <EmptyState glyph={MessageSquareQuote}>
          <p className="text-lead text-ink">Be the first to review this product</p>
        </EmptyState>
      </section>
    );
  }
  const reviews = page?.data ?? [];
  return (
    <section
      id="reviews"
      className="wrap section grid gap-8 lg:grid-cols-[4fr_7fr] lg:gap-[clamp(3rem,7vw,7rem)]"
    >
      <div className="grid gap-5 lg:sticky lg:top-28 lg:self-start">
        <h2>{title}</h2>
        <ReviewScore average={product.averageRating} count={product.reviewCount} />
        {page && reviews.length > 0 && page.total === reviews.length && <RatingBars reviews={reviews} />}
      </div>
      {reviews.length === 0 ? (
        <p className="text-ink-muted">No reviews available at this moment.</p>
      ) : (
        <ul>
          {reviews.map((review) => (
            <ReviewItem key={review.id} review={review} nameless="Anonymous User" />
          ))}
        </ul>
      )}
    </section>
  );
}
