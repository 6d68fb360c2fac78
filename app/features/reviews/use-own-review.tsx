import { lazy, Suspense, useEffect, useState } from "react";
import type { PostedReview, Review } from "../../../domain/reviews/review.ts";
import { readStored, store } from "../browser-storage.ts";

/** The visitor's own review, which they see in any status. `isFresh`: sent just now. */
export type OwnReviewState = { review: PostedReview; isFresh: boolean };

const productKey = "reviewed";
const load = () => import("./own-review.tsx");
const LazyOwnReview = lazy(() => load().then(({ OwnReview }) => ({ default: OwnReview })));

/**
 * This browser's last review, if it is about one of these products. Pages are the same for everybody, so a browser that has
 * sent a review requests it separately. `rendered`: the review in the page that the server rendered for a plain form.
 */
export function useOwnReview(productIds: readonly number[], rendered: PostedReview | null = null) {
  const [ownReview, setOwnReview] = useState<OwnReviewState | null>(
    rendered && { review: rendered, isFresh: true },
  );
  const productList = productIds.join();
  const showReview = (review: PostedReview) => {
    store("local", productKey, String(review.productId));
    setOwnReview({ review, isFresh: true });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the page opens
  useEffect(() => {
    if (rendered) return showReview(rendered);
    const productId = readStored("local", productKey);
    if (!productId || !productIds.includes(Number(productId))) return;
    let isUnmounted = false;
    load()
      .then(({ readOwnReview }) => readOwnReview(productId))
      .then(
        (review) => {
          if (review === null) store("local", productKey, null);
          if (review && !isUnmounted)
            setOwnReview((shown) => (shown?.isFresh ? shown : { review, isFresh: false }));
        },
        () => {},
      );
    return () => {
      isUnmounted = true;
    };
  }, [productList, rendered]);
  return { ownReview, showReview };
}

/** The list without the visitor's own review, if that is shown above it. */
export function withoutOwn(reviews: readonly Review[], ownReview: OwnReviewState | null): readonly Review[] {
  return ownReview?.isFresh ? reviews.filter(({ id }) => id !== ownReview.review.id) : reviews;
}

/** The visitor's own review, above a list that does not contain it. `listedReviews`: the reviews in that list. */
export function OwnReview({
  ownReview,
  listedReviews,
  anonymousName,
}: {
  ownReview: OwnReviewState | null;
  listedReviews: readonly Review[];
  anonymousName: string;
}) {
  if (!ownReview || (!ownReview.isFresh && listedReviews.some(({ id }) => id === ownReview.review.id)))
    return null;
  return (
    <Suspense>
      <LazyOwnReview review={ownReview.review} anonymousName={anonymousName} />
    </Suspense>
  );
}
