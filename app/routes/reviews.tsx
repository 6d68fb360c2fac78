import MessageSquareQuote from "lucide-react/icons/message-square-quote";
import WifiOff from "lucide-react/icons/wifi-off";
import { type ReactNode, useEffect, useState } from "react";
import { type RatingSummary, type ReviewListing, reviewSorts } from "../../domain/reviews/review.ts";
import { ReviewCards } from "../features/reviews/list/review-cards.tsx";
import { type ReviewFilter, ReviewFilters } from "../features/reviews/list/review-filters.tsx";
import { reviewsPath } from "../features/reviews/reviews-path.ts";
import { useReviews } from "../features/reviews/use-reviews.ts";
import { WriteReview } from "../features/reviews/write/write-review.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import { focusHeading } from "../shell/page-focus.tsx";
import { shopContext } from "../shop-context.ts";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Banner } from "../ui/error-banner.tsx";
import { LinkArrow } from "../ui/link-arrow.tsx";
import { Stars } from "../ui/stars.tsx";
import type { Route } from "./+types/reviews";

/** Fills whole rows of two and of three cards. */
const reviewsShown = 24;

export async function loader({ request, context }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  const asked = new URL(request.url).searchParams;
  const cursor = asked.get("cursor");
  const filter = readFilter(asked);
  const listing: ReviewListing = {
    limit: reviewsShown,
    sort: filter.sort,
    ...(filter.stars !== null && { stars: filter.stars }),
    ...(cursor !== null && { cursor }),
  };
  const [page, products] = await Promise.all([shop.reviews(listing), shop.productNames()]);
  return {
    page,
    products,
    filter,
    path: reviewsPath(listing),
    isContinued: cursor !== null,
    isSent: asked.has("sent"),
  };
}

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: "Customer Reviews",
    description: "What customers say about Pure Batana Oil for hair and skin: every review, good or bad.",
    path: "/reviews",
  });

export default function ReviewsPage({ loaderData }: Route.ComponentProps) {
  const { page: rendered, products, filter, path, isContinued, isSent } = loaderData;
  const reviews = useReviews(path, rendered);
  const page = reviews.page ?? rendered;
  const [sentCount, setSentCount] = useState(0);
  const afterSending = () => {
    setSentCount(sentCount + 1);
    void reviews.refresh();
  };
  useEffect(() => {
    if (sentCount === 0) return;
    // Later than the closing dialog, which gives the focus back to its button.
    const timer = setTimeout(() => {
      window.scrollTo({ top: 0 });
      focusHeading();
    });
    return () => clearTimeout(timer);
  }, [sentCount]);
  const write = (variant: "primary" | "secondary") => (
    <WriteReview products={products} variant={variant} onSent={afterSending} />
  );
  return (
    <section ref={reviews.place} aria-labelledby="all-reviews" className="wrap">
      <div className="page-head flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
        <div>
          <h1 id="all-reviews">Customer Reviews</h1>
          <Average summary={page.summary} />
        </div>
        {page.summary.count > 0 && write("secondary")}
      </div>
      {isSent && (
        <Banner tone="success" role="status" title="Review submitted" className="mb-8">
          Thank you for your feedback!
        </Banner>
      )}
      {page.summary.count === 0 ? (
        <NoReviews>{write("primary")}</NoReviews>
      ) : (
        <>
          <ReviewFilters filter={filter} page={page} />
          <ReviewCards reviews={{ ...reviews, page }} filter={filter} isContinued={isContinued} />
          <div className="flex flex-wrap items-center justify-between gap-4 pt-10 pb-(--section-y)">
            <LinkArrow to="/" back>
              Continue Shopping
            </LinkArrow>
            {write("secondary")}
          </div>
        </>
      )}
    </section>
  );
}

function Average({ summary: { average, count } }: { summary: RatingSummary }) {
  if (average === null) return null;
  return (
    <p className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-1">
      <Stars rating={average} className="text-[1.15rem]" />
      <span>
        {average.toFixed(1)} average from {count} {count === 1 ? "review" : "reviews"}
      </span>
    </p>
  );
}

function NoReviews({ children }: { children: ReactNode }) {
  return (
    <div className="pb-(--section-y)">
      <EmptyState
        boxed
        glyph={MessageSquareQuote}
        title="No reviews found."
        action={
          <div className="flex flex-wrap justify-center gap-3">
            {children}
            <ButtonLink to="/" variant="secondary">
              Continue Shopping
            </ButtonLink>
          </div>
        }
      >
        Tried the oil? Your honest experience helps other people decide.
      </EmptyState>
    </div>
  );
}

/** Reviews that cannot be read are not called missing; the shop's frame stays. */
export function ErrorBoundary() {
  return (
    <div className="wrap">
      <div className="page-head">
        <h1>Customer Reviews</h1>
      </div>
      <div className="pb-(--section-y)">
        <EmptyState
          boxed
          role="alert"
          glyph={WifiOff}
          title="Error Loading Reviews"
          action={
            <ButtonLink to="/" variant="secondary">
              Return to Home
            </ButtonLink>
          }
        >
          We couldn't load the reviews. Please try again later.
        </EmptyState>
      </div>
    </div>
  );
}

/** Anything that is no filter is as good as none. */
function readFilter(asked: URLSearchParams): ReviewFilter {
  const sort = reviewSorts.find((name) => name === asked.get("sort")) ?? "newest";
  const stars = asked.get("stars") ?? "";
  return { sort, stars: /^[1-5]$/.test(stars) ? Number(stars) : null };
}
