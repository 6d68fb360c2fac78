import CircleAlert from "lucide-react/icons/circle-alert";
import { type ReactNode, type Ref, useEffect, useState } from "react";
import { characterCount, commentCharacters, tidyComment } from "../../../../domain/reviews/review-form.ts";
import { hairTypes, skinTypes } from "../../../../domain/reviews/writer-traits.ts";
import { useHydrated } from "../../../ui/browser/browser-state.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import {
  controlClass,
  Field,
  FieldFrame,
  FieldLinks,
  Honeypot,
  Options,
  Select,
} from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Stars } from "../stars.tsx";
import { controlIds, type ReviewEntries, type ReviewProblems, reviewFields } from "./review-entries.ts";

const ratingChoices = [
  [5, "5 Excellent"],
  [4, "4 Good"],
  [3, "3 Average"],
  [2, "2 Below Average"],
  [1, "1 Poor"],
] as const;

/** The fields of a review, in the dialog and on the page for browsers without JavaScript. */
export function ReviewFields({
  entries,
  problems,
  onChange,
  children,
}: {
  entries: ReviewEntries;
  problems: ReviewProblems;
  onChange: (change: Partial<ReviewEntries>) => void;
  /** Fields after the comment. */
  children?: ReactNode;
}) {
  return (
    <>
      <RatingField
        rating={entries.rating}
        error={problems.rating}
        onChoose={(rating) => onChange({ rating })}
      />
      <CommentField
        comment={entries.comment}
        error={problems.comment}
        onChange={(comment) => onChange({ comment })}
      />
      {children}
      <Field
        name="customerName"
        id={controlIds.customerName}
        label="Your name"
        optional
        autoComplete="name"
        hint="Leave blank to post anonymously."
        value={entries.customerName}
        error={problems.customerName}
        onChange={(event) => onChange({ customerName: event.target.value })}
      />
      <fieldset className="grid min-w-0 gap-4.5 sm:grid-cols-2">
        <legend className="mb-1.5 text-small text-ink-muted">Helps people like you find your review</legend>
        <TraitField
          name="hair"
          label="Your hair"
          types={hairTypes}
          value={entries.hair}
          onChoose={(hair) => onChange({ hair })}
        />
        <TraitField
          name="skin"
          label="Your skin"
          types={skinTypes}
          value={entries.skin}
          onChoose={(skin) => onChange({ skin })}
        />
      </fieldset>
      <Honeypot id="review-website" />
    </>
  );
}

function TraitField<Key extends string>({
  name,
  label,
  types,
  value,
  onChoose,
}: {
  name: string;
  label: string;
  types: Record<Key, string>;
  value: Key | null;
  onChoose: (key: Key | null) => void;
}) {
  const keys = Object.keys(types) as Key[];
  return (
    <Select
      name={name}
      id={`review-${name}`}
      label={label}
      optional
      value={value ?? ""}
      onChange={(event) => onChoose(keys.find((key) => key === event.target.value) ?? null)}
    >
      <option value="">No answer</option>
      <Options of={keys.map((key) => [key, types[key]])} />
    </Select>
  );
}

function RatingField({
  rating,
  error,
  onChoose,
}: {
  rating: number | null;
  error: string | undefined;
  onChoose: (rating: number) => void;
}) {
  return (
    <fieldset aria-describedby={error ? "review-rating-note" : undefined} className="grid min-w-0 gap-2">
      <legend className="mb-1.5 text-small leading-[1.4] font-medium">Rating</legend>
      {ratingChoices.map(([stars, text]) => (
        <label
          key={stars}
          className="flex min-h-12 cursor-pointer flex-wrap items-center gap-x-3 rounded-sm border border-line-strong bg-surface px-[.9rem] py-1 text-ui has-checked:border-forest-800 has-checked:bg-cream-soft has-checked:font-medium has-checked:inset-ring has-checked:inset-ring-forest-800"
        >
          <input
            type="radio"
            required
            name="rating"
            id={`review-rating-${stars}`}
            value={stars}
            checked={rating === stars}
            onChange={() => onChoose(stars)}
            className="size-5 accent-forest-800"
          />
          <span className="flex-1 basis-28">{text}</span>
          <span aria-hidden="true" className="flex">
            <Stars rating={stars} className="text-[.95rem]" />
          </span>
        </label>
      ))}
      {error && (
        <p id="review-rating-note" className="flex gap-1.5 text-caption font-medium text-danger">
          <Icon glyph={CircleAlert} size="small" className="mt-px" />
          <span>{error}</span>
        </p>
      )}
    </fieldset>
  );
}

const { min, max } = commentCharacters;
/** Pause in typing (ms) after which the count is announced to screen readers. */
const announceAfterMs = 1200;

/** The comment with its number of characters, which is announced when the writer pauses. */
function CommentField({
  comment,
  error,
  onChange,
}: {
  comment: string;
  error: string | undefined;
  onChange: (comment: string) => void;
}) {
  const count = characterCount(tidyComment(comment));
  const isHydrated = useHydrated();
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
          {min} to {max} characters
        </span>
        {/* Omitted without JavaScript, which has to update the count. */}
        {isHydrated && (
          <span className={`tabular-nums ${count > max ? "font-medium text-danger" : ""}`}>
            {count} / {max}
          </span>
        )}
      </p>
      <SpokenCount count={count} />
    </div>
  );
}

function SpokenCount({ count }: { count: number }) {
  const [announcedCount, setAnnouncedCount] = useState<number | null>(null);
  const [initialCount] = useState(count);
  useEffect(() => {
    if (count === initialCount && announcedCount === null) return;
    const timer = setTimeout(() => setAnnouncedCount(count), announceAfterMs);
    return () => clearTimeout(timer);
  }, [count, initialCount, announcedCount]);
  return (
    <p role="status" className="sr-only">
      {announcedCount !== null && `${announcedCount} of ${max} characters`}
    </p>
  );
}

/** Why a review was not sent, above its form; receives the focus. `failure` is shown if no field has a problem. */
export function ReviewNotice({
  ref,
  problems,
  failure,
}: {
  ref: Ref<HTMLDivElement>;
  problems: ReviewProblems;
  failure: string | null;
}) {
  const links = reviewFields.flatMap((field) => {
    const problem = problems[field];
    return problem ? [{ controlId: controlIds[field], problem }] : [];
  });
  if (links.length === 0 && failure === null) return null;
  return (
    <Banner
      ref={ref}
      tabIndex={-1}
      title={links.length > 0 ? "Please check these fields" : "Your review was not sent."}
    >
      {links.length === 0 && <p>{failure}</p>}
      {links.length > 0 && <FieldLinks links={links} />}
    </Banner>
  );
}
