import { useEffect, useState } from "react";
import type { PostedReview, Review } from "../../../domain/reviews/review.ts";
import { callApi } from "../api.ts";
import { readStored, store } from "../browser-storage.ts";
import { ReviewBody } from "./list/review-body.tsx";

/** A browser's own review, which its pages show whatever state it is in. `isFresh`: it was sent just now. */
export type Own = { review: PostedReview; isFresh: boolean };

const lastReviewed = "reviewed";

/**
 * The review of one of these products that this browser wrote last. Pages are the same for everybody, so it is asked for by
 * those that have written one. `rendered`: one that was sent without JavaScript.
 */
export function useOwnReview(productIds: readonly number[], rendered: PostedReview | null = null) {
  const [own, setOwn] = useState<Own | null>(rendered && { review: rendered, isFresh: true });
  const known = productIds.join();
  useEffect(() => {
    if (rendered) store("local", lastReviewed, String(rendered.productId));
    const productId = readStored("local", lastReviewed);
    if (rendered || !productId || !known.split(",").includes(productId)) return;
    const leaving = new AbortController();
    void callApi("GET /api/reviews/mine", { query: { productId }, signal: leaving.signal }).then((answer) => {
      if (!answer.ok) return;
      const { review } = answer.body.data;
      if (!review) store("local", lastReviewed, null);
      setOwn((now) => (now?.isFresh ? now : review && { review, isFresh: false }));
    });
    return () => leaving.abort();
  }, [known, rendered]);
  return {
    own,
    keep(review: PostedReview) {
      store("local", lastReviewed, String(review.productId));
      setOwn({ review, isFresh: true });
    },
  };
}

/** The list beside the own review: what stands above it does not stand in it as well. */
export function withoutOwn(reviews: readonly Review[], own: Own | null): readonly Review[] {
  return own?.isFresh ? reviews.filter(({ id }) => id !== own.review.id) : reviews;
}

const fates = {
  published: "everybody can read it now",
  pending: "waiting to be read by us",
  hidden: "only you see it",
};

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
  const { review } = own;
  const held = review.sentPhotos.filter(({ status }) => status === "held");
  return (
    <section
      aria-label="Review by you"
      data-own-review
      className="mb-8 w-full rounded-md border border-gold-300 bg-surface p-6"
    >
      <p className="mb-4 text-small text-ink-muted">
        <b className="font-semibold text-ink">Your review</b> – {fates[review.status]}
      </p>
      <ReviewBody review={review} nameless={nameless}>
        {held.length > 0 && (
          <>
            <p className="mt-3 flex flex-wrap gap-2">
              {held.map(({ id, url }) => (
                <img
                  key={id}
                  src={url}
                  alt=""
                  className="size-20 rounded-sm bg-cream object-cover opacity-80"
                />
              ))}
            </p>
            <p className="mt-2 text-small text-ink-muted">
              {held.length === 1 ? "Your photo joins it" : "Your photos join it"} once we have had a look.
              Until then only you see {held.length === 1 ? "it" : "them"}.
            </p>
          </>
        )}
      </ReviewBody>
    </section>
  );
}
