import { Stars } from "../stars.tsx";

/** The score is beside the reviews from 1024 px on, and above them on narrower screens. */
export const scoreBesideList = "grid gap-8 lg:grid-cols-[4fr_7fr] lg:gap-[clamp(3rem,7vw,7rem)]";
export const scoreColumn = "grid justify-items-start gap-5 lg:sticky lg:top-28 lg:self-start";

export function ReviewScore({ average, count }: { average: number; count: number }) {
  return (
    <div className="review-score">
      <span
        aria-hidden="true"
        className="font-display text-[4rem] leading-none tracking-[-.03em] lining-nums"
      >
        {average.toFixed(1)}
      </span>
      <div>
        <Stars rating={average} className="text-[1.15rem]" />
        <p className="text-small text-ink-muted">
          Average of {count} {count === 1 ? "review" : "reviews"}
        </p>
      </div>
    </div>
  );
}
