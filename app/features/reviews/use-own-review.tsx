import { lazy, Suspense, useEffect, useState } from "react";
import type { PostedReview, Review } from "../../../domain/reviews/review.ts";
import { readStored, reviewedKey, store } from "../browser-storage.ts";

/** The visitor's own review, which they see in any status. */
export type OwnReviewState = {
  /** Null: there is none, or it is not read yet. */
  review: PostedReview | null;
  /** Whether it was sent just now. */
  isFresh: boolean;
  /** The product whose review is to be read. */
  productId: string | null;
  onRead: (review: PostedReview | null) => void;
};

const LazyOwnReview = lazy(() =>
  import("./own-review.tsx").then(
    ({ OwnReview }) => ({ default: OwnReview }),
    // Without it, the page is complete.
    () => ({ default: () => null }),
  ),
);

/**
 * This browser's last review, if it is about one of these products. Pages are the same for everybody, so a browser that has
 * sent a review requests it separately. `rendered`: the review in the page that the server rendered for a plain form.
 */
export function useOwnReview(productIds: readonly number[], rendered: PostedReview | null = null) {
  const [sent, setSent] = useState(rendered);
  const [read, setRead] = useState<PostedReview | null>(null);
  const [productId, setProductId] = useState<string | null>(null);
  const productList = productIds.join();
  const showReview = (review: PostedReview) => {
    store("local", reviewedKey, String(review.productId));
    setSent(review);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the page opens
  useEffect(() => {
    if (rendered) return showReview(rendered);
    const storedId = readStored("local", reviewedKey);
    if (storedId && productIds.includes(Number(storedId))) setProductId(storedId);
  }, [productList, rendered]);
  const ownReview = { review: sent ?? read, isFresh: sent !== null, productId, onRead: setRead };
  return { ownReview, showReview };
}

/** The list without the visitor's own review, if that is shown above it. */
export function withoutOwn(
  reviews: readonly Review[],
  { review, isFresh }: OwnReviewState,
): readonly Review[] {
  return isFresh ? reviews.filter(({ id }) => id !== review?.id) : reviews;
}

/** The visitor's own review, above a list that does not contain it. `listedReviews`: the reviews in that list. */
export function OwnReview({
  listedReviews,
  ...props
}: {
  ownReview: OwnReviewState;
  listedReviews: readonly Review[];
  anonymousName: string;
}) {
  const { review, isFresh, productId } = props.ownReview;
  if (review ? !isFresh && listedReviews.some(({ id }) => id === review.id) : !productId) return null;
  return (
    <Suspense>
      <LazyOwnReview {...props} />
    </Suspense>
  );
}
