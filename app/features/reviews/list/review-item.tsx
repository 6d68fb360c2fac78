import { type FormEvent, lazy, Suspense, useEffect, useState } from "react";
import type { Review } from "../../../../domain/reviews/review.ts";
import { readStored } from "../../browser-storage.ts";
import type { DeleteReviewProps } from "./delete-review.tsx";
import { ReviewBody, reviewerName } from "./review-body.tsx";

export type ReviewItemProps = {
  review: Review;
  anonymousName: string;
  /** Null for all but admins, who can delete the review. */
  onDeleted: (() => void) | null;
  isOwn: boolean;
};

export function ReviewItem({ review, anonymousName, onDeleted, isOwn }: ReviewItemProps) {
  return (
    <li tabIndex={-1} className="border-t border-line py-6 outline-none">
      <ReviewBody
        review={review}
        anonymousName={anonymousName}
        isOwn={isOwn}
        control={
          <ReviewControl review={review} name={reviewerName(review, anonymousName)} onDeleted={onDeleted} />
        }
      >
        {!isOwn && (
          <div className="mt-1">
            <HelpfulButton review={review} />
          </div>
        )}
      </ReviewBody>
    </li>
  );
}

const DeleteReview = lazy(() =>
  import("./delete-review.tsx").then((module) => ({ default: module.DeleteReview })),
);

/** The button to delete a review on a public page; `onDeleted` is null for all but admins. */
export function ReviewControl({
  onDeleted,
  ...props
}: Omit<DeleteReviewProps, "onDeleted"> & { onDeleted: (() => void) | null }) {
  if (onDeleted === null) return null;
  return (
    <Suspense>
      <DeleteReview {...props} onDeleted={onDeleted} />
    </Suspense>
  );
}

/**
 * The number of helpful votes, and a button to vote or take the vote back. The page is the same for everybody, so the browser
 * itself remembers its votes. Works as a form without JavaScript.
 */
export function HelpfulButton({ review: { id, helpfulCount } }: { review: Review }) {
  const [vote, setVote] = useState({ count: helpfulCount, isMine: false });
  useEffect(() => {
    setVote({ count: helpfulCount, isMine: Boolean(readStored("local", `helpful:${id}`)) });
  }, [id, helpfulCount]);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    import("./on-press.ts").then(
      ({ sendVote }) => sendVote(id, vote, setVote),
      // If the code cannot be loaded, the browser sends the form.
      () => form.submit(),
    );
  };
  return (
    <form method="post" action="/reviews/helpful" onSubmit={send}>
      <input type="hidden" name="id" value={id} />
      <button
        type="submit"
        aria-pressed={vote.isMine}
        className="min-h-11 text-caption text-ink-muted hover:text-ink aria-pressed:text-ink aria-pressed:*:border-forest-800"
      >
        <span className="rounded-full border border-line px-3 py-1.5">
          Helpful{vote.count > 0 && ` (${vote.count})`}
        </span>
      </button>
    </form>
  );
}
