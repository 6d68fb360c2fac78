import { useEffect, useState } from "react";
import { characterCount, commentCharacters, tidyComment } from "../../../../domain/reviews/review-form.ts";
import { controlClass, FieldFrame } from "../../../ui/field.tsx";
import { controlIds } from "./review-entries.ts";

const { least, most } = commentCharacters;
/** Pause in typing (ms) after which the count is announced to screen readers. */
const announceAfterMs = 1200;

/** The comment with its number of characters, which is announced in pauses. */
export function CommentField({
  comment,
  error,
  onChange,
}: {
  comment: string;
  error: string | undefined;
  onChange: (comment: string) => void;
}) {
  const count = characterCount(tidyComment(comment));
  const [isAlive, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  return (
    <div className="grid gap-1.5">
      <FieldFrame name="comment" id={controlIds.comment} label="Your review" error={error}>
        {(aria) => (
          <textarea
            {...aria}
            name="comment"
            aria-required="true"
            aria-describedby={[aria["aria-describedby"], "review-length"].filter(Boolean).join(" ")}
            value={comment}
            onChange={(event) => onChange(event.target.value)}
            className={`${controlClass} min-h-26 resize-y`}
          />
        )}
      </FieldFrame>
      <p className="flex justify-between gap-3 text-caption text-ink-muted">
        <span id="review-length">
          {least} to {most} characters
        </span>
        {/* Without JavaScript it would not be updated. */}
        {isAlive && (
          <span className={`tabular-nums ${count > most ? "font-medium text-danger" : ""}`}>
            {count} / {most}
          </span>
        )}
      </p>
      <SpokenCount count={count} />
    </div>
  );
}

function SpokenCount({ count }: { count: number }) {
  const [spoken, setSpoken] = useState<number | null>(null);
  const [first] = useState(count);
  useEffect(() => {
    if (count === first && spoken === null) return;
    const timer = setTimeout(() => setSpoken(count), announceAfterMs);
    return () => clearTimeout(timer);
  }, [count, first, spoken]);
  return (
    <p role="status" className="sr-only">
      {spoken !== null && `${spoken} of ${most} characters`}
    </p>
  );
}
