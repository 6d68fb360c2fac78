import ThumbsUp from "lucide-react/icons/thumbs-up";
import { type FormEvent, useEffect, useState } from "react";
import type { Review } from "../../../../domain/reviews/review.ts";
import { Icon } from "../../../ui/icon.tsx";
import { readStored } from "../../browser-storage.ts";

/**
 * How many found a review helpful, and the way to say so or take it back. The page is the same for everybody: only this
 * browser knows that it has voted. Without JavaScript it is a form.
 */
export function HelpfulButton({ review: { id, helpfulCount } }: { review: Review }) {
  const [vote, setVote] = useState({ count: helpfulCount, isMine: false });
  useEffect(() => {
    setVote({ count: helpfulCount, isMine: Boolean(readStored("local", `helpful:${id}`)) });
  }, [id, helpfulCount]);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const wanted = { count: vote.count + (vote.isMine ? -1 : 1), isMine: !vote.isMine };
    setVote(wanted);
    const sent = await import("./send-vote.ts").then(
      ({ sendVote }) => sendVote(id, wanted.isMine),
      () => null,
    );
    // Where its code cannot be had, the form goes as it is.
    if (sent === null) form.submit();
    else setVote(sent.ok ? { ...wanted, count: sent.count } : vote);
  };
  return (
    <form method="post" action="/reviews/helpful" onSubmit={send} className="-mx-2">
      <input type="hidden" name="id" value={id} />
      <button
        type="submit"
        aria-pressed={vote.isMine}
        className="inline-flex min-h-11 items-center gap-2 rounded-sm px-2 text-small text-ink-muted hover:bg-cream-soft aria-pressed:font-medium aria-pressed:text-ink"
      >
        <Icon glyph={ThumbsUp} size="small" /> Helpful{vote.count > 0 && ` (${vote.count})`}
      </button>
    </form>
  );
}
