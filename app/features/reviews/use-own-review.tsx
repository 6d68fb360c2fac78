import { lazy, Suspense, useEffect, useState } from "react";
import type { PostedReview, Review } from "../../../domain/reviews/review.ts";
import { readStored, store } from "../browser-storage.ts";

/** A browser's own review, which its pages show whatever state it is in. `isFresh`: it was sent just now. */
export type Own = { review: PostedReview; isFresh: boolean };

const lastReviewed = "reviewed";
const load = () => import("./own-review.tsx");
const Shown = lazy(() => load().then(({ OwnReview }) => ({ default: OwnReview })));

/**
 * The review of one of these products that this browser wrote last. Pages are the same for everybody, so it is asked for by
 * those that have written one. `rendered`: one that was sent without JavaScript.
 */
export function useOwnReview(productIds: readonly number[], rendered: PostedReview | null = null) {
  const [own, setOwn] = useState<Own | null>(rendered && { review: rendered, isFresh: true });
  const known = productIds.join();
  const keep = (review: PostedReview) => {
    store("local", lastReviewed, String(review.productId));
    setOwn({ review, isFresh: true });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page's first moment
  useEffect(() => {
    if (rendered) return keep(rendered);
    const productId = readStored("local", lastReviewed);
    if (!productId || !known.split(",").includes(productId)) return;
    let isLeft = false;
    load()
      .then(({ readOwnReview }) => readOwnReview(productId))
      .then(
        (review) => {
          if (review === null) store("local", lastReviewed, null);
          if (review && !isLeft) setOwn((now) => (now?.isFresh ? now : { review, isFresh: false }));
        },
        () => {},
      );
    return () => {
      isLeft = true;
    };
  }, [known, rendered]);
  return { own, keep };
}

/** The list beside the own review: what stands above it does not stand in it as well. */
export function withoutOwn(reviews: readonly Review[], own: Own | null): readonly Review[] {
  return own?.isFresh ? reviews.filter(({ id }) => id !== own.review.id) : reviews;
}

/** The own review above a list that it is not in. */
export function OwnReview({
  own,
  listed,
  nameless,
}: {
  own: Own | null;
  listed: readonly Review[];
  nameless: string;
}) {
  if (!own || (!own.isFresh && listed.some(({ id }) => id === own.review.id))) return null;
  return (
    <Suspense>
      <Shown review={own.review} nameless={nameless} />
    </Suspense>
  );
}
