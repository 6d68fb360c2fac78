import { lazy, Suspense, useEffect, useState } from "react";
import type { PostedReview, Review } from "../../../domain/reviews/review.ts";
import { readStored, reviewedKey, store } from "../browser-storage.ts";

/** The visitor's own review, which they see in any status. */
export type OwnReviewState = {
  /** Null if there is none, or if it has not been loaded yet. */
  review: PostedReview | null;
  /** Whether it was sent just now. */
  isJustSent: boolean;
  /** The product whose review has to be requested; null for none. */
  productId: string | null;
  onRead: (review: PostedReview | null) => void;
};

const LazyOwnReview = lazy(() =>
  import("./own-review.tsx").then(
    ({ OwnReview }) => ({ default: OwnReview }),
    // The page is complete without it.
    () => ({ default: () => null }),
  ),
);

/**
 * This browser's last review, if it is about one of these products. Pages are the same for everybody, so a browser that
 * has sent a review requests it separately. `renderedReview` is the review in a page that the server has rendered after
 * a plain form.
 */
export function useOwnReview(productIds: readonly number[], renderedReview: PostedReview | null = null) {
  const [sentReview, setSentReview] = useState(renderedReview);
  const [loadedReview, setLoadedReview] = useState<PostedReview | null>(null);
  const [productId, setProductId] = useState<string | null>(null);
  const productList = productIds.join();
  const showReview = (review: PostedReview) => {
    store("local", reviewedKey, String(review.productId));
    setSentReview(review);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the page opens
  useEffect(() => {
    if (renderedReview) return showReview(renderedReview);
    const storedId = readStored("local", reviewedKey);
    if (storedId && productIds.includes(Number(storedId))) setProductId(storedId);
  }, [productList, renderedReview]);
  const ownReview = {
    review: sentReview ?? loadedReview,
    isJustSent: sentReview !== null,
    productId,
    onRead: setLoadedReview,
  };
  return { ownReview, showReview };
}

/** The list without the visitor's own review, if the review is shown above the list. */
export function withoutOwn(
  reviews: readonly Review[],
  { review, isJustSent }: OwnReviewState,
): readonly Review[] {
  return isJustSent ? reviews.filter(({ id }) => id !== review?.id) : reviews;
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
  const { review, isJustSent, productId } = props.ownReview;
  if (review ? !isJustSent && listedReviews.some(({ id }) => id === review.id) : !productId) return null;
  return (
    <Suspense>
      <LazyOwnReview {...props} />
    </Suspense>
  );
}
