import type { Review } from "../../../domain/review.ts";

/** How many reviews gave each number of stars. Only true where `reviews` are all there are. */
export function RatingBars({ reviews }: { reviews: Review[] }) {
  return (
    <ul className="grid gap-2" aria-label="Ratings">
      {[5, 4, 3, 2, 1].map((stars) => {
        const count = reviews.filter(({ rating }) => Math.round(rating) === stars).length;
        return (
          <li key={stars} className="grid grid-cols-[4.6rem_1fr_2rem] items-center gap-3 text-small">
            <span>
              {stars} {stars === 1 ? "star" : "stars"}
            </span>
            <span className="h-1.5 overflow-hidden rounded-full bg-sand">
              <span
                className="block h-full bg-copper-600"
                style={{ width: `${(100 * count) / reviews.length}%` }}
              />
            </span>
            <span className="tabular-nums">{count}</span>
          </li>
        );
      })}
    </ul>
  );
}
