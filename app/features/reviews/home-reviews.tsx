import MessageSquareQuote from "lucide-react/icons/message-square-quote";
import WifiOff from "lucide-react/icons/wifi-off";
import { useRevalidator } from "react-router";
import type { Product } from "../../../domain/product.ts";
import type { ReviewPage } from "../../../domain/review.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkArrow } from "../../ui/link-arrow.tsx";
import { ReviewItem } from "./review-item.tsx";
import { ReviewScore } from "./review-score.tsx";

/** The newest reviews on the home page; `page` is null where they could not be read. */
export function HomeReviews({ product, page }: { product: Product; page: ReviewPage | null }) {
  return (
    <section id="reviews" className="section bg-cream-soft">
      {page && page.data.length > 0 ? (
        <div className="wrap grid gap-8 lg:grid-cols-[4fr_7fr] lg:gap-[clamp(3rem,7vw,7rem)]">
          <div className="grid gap-5 lg:sticky lg:top-28 lg:self-start">
            <h2>Customer Reviews</h2>
            {product.averageRating !== null && (
              <ReviewScore average={product.averageRating} count={product.reviewCount} />
            )}
          </div>
          <div>
            <ul>
              {page.data.map((review) => (
                <ReviewItem key={review.id} review={review} nameless="Anonymous" />
              ))}
            </ul>
            <p className="border-t border-line pt-4">
              <LinkArrow to={`/product/${product.slug}#reviews`}>View All Reviews ({page.total})</LinkArrow>
            </p>
          </div>
        </div>
      ) : (
        <div className="wrap">
          <h2>Customer Reviews</h2>
          {page ? <NoReviews /> : <UnreadReviews />}
        </div>
      )}
    </section>
  );
}

function NoReviews() {
  return (
    <EmptyState glyph={MessageSquareQuote}>
      <p className="text-lead text-ink">Be the first to share your experience with the product!</p>
    </EmptyState>
  );
}

function UnreadReviews() {
  const { revalidate, state } = useRevalidator();
  return (
    <EmptyState
      glyph={WifiOff}
      heading="h3"
      title="Unable to load reviews"
      role="alert"
      action={
        <Button variant="secondary" busy={state === "loading"} busyText="Trying..." onClick={revalidate}>
          Try Again
        </Button>
      }
    >
      This might be due to a network issue.
    </EmptyState>
  );
}
