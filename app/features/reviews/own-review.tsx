import { useEffect } from "react";
import { callApi } from "../api.ts";
import { reviewedKey, store } from "../browser-storage.ts";
import { useApiResult } from "../use-api-result.ts";
import { ReviewBody } from "./list/review-body.tsx";
import type { OwnReviewState } from "./use-own-review.tsx";

// Loaded only by browsers that have sent a review.

const statusTexts = {
  published: "everybody can read it now",
  pending: "waiting to be read by us",
  hidden: "only you see it",
};

/** Requests the review first, unless it was sent just now. */
export function OwnReview({
  ownReview: { review, productId, onRead },
  anonymousName,
}: {
  ownReview: OwnReviewState;
  anonymousName: string;
}) {
  const { body } = useApiResult(review || !productId ? null : { productId }, (query, signal) =>
    callApi("GET /api/reviews/mine", { query, signal }),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each response
  useEffect(() => {
    if (!body) return;
    if (body.data.review === null) store("local", reviewedKey, null);
    onRead(body.data.review);
  }, [body]);
  if (!review) return null;
  const heldPhotos = review.sentPhotos.filter(({ status }) => status === "held");
  return (
    <section
      aria-label="Review by you"
      data-own-review
      className="mb-8 w-full rounded-md border border-gold-300 bg-surface p-6"
    >
      <p className="mb-4 text-small text-ink-muted">
        <b className="font-semibold text-ink">Your review</b> – {statusTexts[review.status]}
      </p>
      <ReviewBody review={review} anonymousName={anonymousName}>
        {heldPhotos.length > 0 && (
          <>
            <p className="mt-3 flex flex-wrap gap-2">
              {heldPhotos.map(({ id, url }) => (
                <img
                  key={id}
                  src={url}
                  alt=""
                  className="size-20 rounded-sm bg-cream object-cover opacity-80"
                />
              ))}
            </p>
            <p className="mt-2 text-small text-ink-muted">
              {heldPhotos.length === 1 ? "Your photo joins it" : "Your photos join it"} once we have had a
              look. Until then only you see {heldPhotos.length === 1 ? "it" : "them"}.
            </p>
          </>
        )}
      </ReviewBody>
    </section>
  );
}
