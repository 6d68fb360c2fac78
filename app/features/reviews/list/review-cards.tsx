import { Link, useNavigation } from "react-router";
import { Card } from "../../../ui/card.tsx";
import { LinkArrow } from "../../../ui/link-arrow.tsx";
import { useIsAdmin } from "../../admin/use-is-admin.ts";
import { useRefresh } from "../use-refresh.ts";
import type { Reviews } from "../use-reviews.ts";
import { LoadMore } from "./load-more.tsx";
import { ReviewBody, reviewerName } from "./review-body.tsx";
import { ReviewControl } from "./review-control.tsx";
import { filterAddress, type ReviewFilter } from "./review-filters.tsx";
import type { ReviewItemProps } from "./review-item.tsx";
import { ReviewsLoading } from "./reviews-loading.tsx";

/** The grid of all reviews. `isContinued`: it starts where a page without JavaScript ended. */
export function ReviewCards({
  reviews,
  filter,
  isContinued,
}: {
  reviews: Reviews;
  filter: ReviewFilter;
  isContinued: boolean;
}) {
  const isAdmin = useIsAdmin();
  const refresh = useRefresh(reviews);
  const { state, location: next } = useNavigation();
  const isFiltering = state === "loading" && next.pathname === "/reviews";
  const { data = [], nextCursor = null } = reviews.page ?? {};
  if (data.length === 0) return <p className="py-6 text-ink-muted">No reviews found.</p>;
  return (
    <>
      {isContinued && (
        <p className="mb-5">
          <LinkArrow to={filterAddress(filter)} back>
            Back to the first reviews
          </LinkArrow>
        </p>
      )}
      {isFiltering && <ReviewsLoading />}
      <LoadMore reviews={reviews} to={filterAddress(filter, nextCursor)}>
        <ul
          className={`grid gap-5 md:grid-cols-2 min-[70rem]:grid-cols-3 ${isFiltering ? "opacity-60" : ""}`}
        >
          {data.map((review) => (
            <ReviewCard
              key={review.id}
              review={review}
              nameless="Anonymous"
              onDeleted={isAdmin ? refresh : null}
            />
          ))}
        </ul>
      </LoadMore>
    </>
  );
}

/** One review on the page of all of them, with the product it is about. */
function ReviewCard({ review, nameless, onDeleted }: ReviewItemProps) {
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
