import { Link } from "react-router";
import type { RatingCounts } from "../../../../domain/reviews/review.ts";

const rows = [5, 4, 3, 2, 1] as const;

/** How many reviews gave each number of stars. With `linkOf` each bar leads to those reviews; `chosen` is where we are. */
export function RatingBars({
  counts,
  linkOf,
  chosen = null,
}: {
  counts: RatingCounts;
  linkOf?: (stars: number) => string;
  chosen?: number | null;
}) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return (
    <ul className={linkOf ? "grid" : "grid gap-2"} aria-label="Ratings">
      {rows.map((stars) => {
        const count = counts[stars - 1] ?? 0;
        const row = (
          <>
            <span>
              {stars} {stars === 1 ? "star" : "stars"}
            </span>
            <span className="h-1.5 overflow-hidden rounded-full bg-sand">
              <span
                className="block h-full bg-copper-600 forced-colors:bg-[CanvasText]"
                style={{ width: `${total === 0 ? 0 : (100 * count) / total}%` }}
              />
            </span>
            <span className="tabular-nums">
              {count}
              <span className="sr-only"> {count === 1 ? "review" : "reviews"}</span>
            </span>
          </>
        );
        const grid = "grid grid-cols-[4.6rem_1fr_3rem] items-center gap-3 text-small";
        return (
          <li key={stars}>
            {linkOf ? (
              <Link
                to={linkOf(stars)}
                preventScrollReset
                aria-current={chosen === stars ? "true" : undefined}
                className={`${grid} -mx-2 min-h-11 rounded-sm px-2 no-underline hover:bg-cream-soft aria-[current]:bg-cream aria-[current]:font-semibold md:min-h-9`}
              >
                {row}
              </Link>
            ) : (
              <div className={grid}>{row}</div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
