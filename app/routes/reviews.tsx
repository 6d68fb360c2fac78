import PenLine from "lucide-react/icons/pen-line";
import WifiOff from "lucide-react/icons/wifi-off";
import { type ReactNode, useEffect, useState } from "react";
import { redirect } from "react-router";
import type { PostedReview, RatingSummary, ReviewListing } from "../../domain/reviews/review.ts";
import {
  defaultSort,
  filterLinks,
  loadPhotoReviews,
  readFilter,
} from "../features/reviews/list/filter-links.ts";
import { PhotoStrip } from "../features/reviews/list/review-body.tsx";
import { ReviewCards } from "../features/reviews/list/review-cards.tsx";
import { RatingFilter, ReviewFilters } from "../features/reviews/list/review-filters.tsx";
import { reviewsPath } from "../features/reviews/reviews-path.ts";
import { Stars } from "../features/reviews/stars.tsx";
import { OwnReview, useOwnReview } from "../features/reviews/use-own-review.tsx";
import { useReviews } from "../features/reviews/use-reviews.ts";
import { WriteReview } from "../features/reviews/write/write-review.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import { focusHeading } from "../shell/page-focus.tsx";
import { shopContext, viewerContext } from "../shop-context.ts";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Banner } from "../ui/error-banner.tsx";
import { LinkArrow } from "../ui/link-arrow.tsx";
import type { Route } from "./+types/reviews";

const reviewsPerPage = 24;

export async function loader({ request, context }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  const query = new URL(request.url).searchParams;
  const cursor = query.get("cursor");
  const stars = query.get("stars");
  if (stars !== null) {
    // The filter's former name.
    query.delete("stars");
    if (!query.has("rating")) query.set("rating", stars);
    throw redirect(`/reviews?${query}`, 301);
  }
  const filter = readFilter(query);
  const listing: ReviewListing = {
    limit: reviewsPerPage,
    sort: defaultSort,
    ...filter,
    ...(cursor !== null && { cursor }),
  };
  const sentId = query.get("sent");
  const [page, products, ownReview] = await Promise.all([
    shop.reviews(listing),
    shop.productNames(),
    sentId === null ? null : shop.ownReview(context.get(viewerContext), Number(sentId)),
  ]);
  return {
    page,
    photoReviews: await loadPhotoReviews(shop, page),
    products,
    ownReview,
    links: filterLinks({ path: "/reviews" }, filter, page),
    path: reviewsPath(listing),
    isContinued: cursor !== null,
    isSent: sentId !== null,
  };
}

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: "Customer Reviews",
    description: "What customers say about Pure Batana Oil for hair and skin: every review, good or bad.",
    path: "/reviews",
  });

export default function ReviewsPage({ loaderData }: Route.ComponentProps) {
  const { page: renderedPage, photoReviews, products, links, path, isContinued, isSent } = loaderData;
  const reviews = useReviews(path, renderedPage);
  const page = reviews.page ?? renderedPage;
  const { ownReview, showReview } = useOwnReview(
    products.map(({ id }) => id),
    loaderData.ownReview,
  );
  const [sentCount, setSentCount] = useState(0);
  const onSent = (review: PostedReview) => {
    showReview(review);
    setSentCount(sentCount + 1);
    void reviews.refresh();
  };
  useEffect(() => {
    if (sentCount === 0) return;
    // Delayed until the closing dialog has given the focus back to its button.
    const timer = setTimeout(() => {
      window.scrollTo({ top: 0 });
      focusHeading();
    });
    return () => clearTimeout(timer);
  }, [sentCount]);
  const write = (variant: "primary" | "secondary") => (
    <WriteReview products={products} variant={variant} onSent={onSent} />
  );
  return (
    <section ref={reviews.sectionRef} aria-labelledby="all-reviews" className="wrap">
      <div className="page-head grid gap-x-5 gap-y-6 md:grid-cols-2 md:items-end min-[70rem]:grid-cols-3">
        <div className="min-[70rem]:col-span-2">
          <h1 id="all-reviews">Customer Reviews</h1>
          <Average summary={page.summary} />
          {isSent && (
            <Banner tone="success" role="status" title="Review submitted" className="mt-5">
              Thank you for your feedback!
            </Banner>
          )}
          {page.summary.count > 0 && <div className="mt-5">{write("secondary")}</div>}
        </div>
        {page.summary.count > 0 && <RatingFilter links={links} counts={page.summary.counts} />}
      </div>
      {page.summary.count === 0 ? (
        <>
          <OwnReview ownReview={ownReview} listedReviews={[]} anonymousName="Anonymous" />
          <NoReviews>{write("primary")}</NoReviews>
        </>
      ) : (
        <>
          <div className="mb-8">
            <PhotoStrip reviews={photoReviews} anonymousName="Anonymous" />
            <ReviewFilters links={links} />
          </div>
          <ReviewCards
            reviews={{ ...reviews, page }}
            ownReview={ownReview}
            links={links}
            isContinued={isContinued}
          />
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
        glyph={PenLine}
        title="No reviews found."
        action={
          <div className="grid gap-3 sm:flex">
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

/** Shown inside the shop's frame if the reviews could not be loaded. */
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
          We couldn’t load the reviews. Please try again later.
        </EmptyState>
      </div>
    </div>
  );
}
