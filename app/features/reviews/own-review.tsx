import type { PostedReview } from "../../../domain/reviews/review.ts";
import { callApi } from "../api.ts";
import { ReviewBody } from "./list/review-body.tsx";

// Only browsers that have written a review load this.

/** This browser's review of a product; null: it has none. Undefined: nobody could say. */
export async function readOwnReview(productId: string): Promise<PostedReview | null | undefined> {
  const answer = await callApi("GET /api/reviews/mine", { query: { productId } });
  return answer.ok ? answer.body.data.review : undefined;
}

const fates = {
  published: "everybody can read it now",
  pending: "waiting to be read by us",
  hidden: "only you see it",
};

/** The own review: what it says, and what has become of it. */
export function OwnReview({ review, nameless }: { review: PostedReview; nameless: string }) {
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
