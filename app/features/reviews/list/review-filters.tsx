import { Link } from "react-router";
import { type ReviewPage, type ReviewSort, reviewSorts } from "../../../../domain/reviews/review.ts";
import { RatingBars } from "./rating-bars.tsx";

/** What of all reviews is shown, as it stands in the address of /reviews. */
export type ReviewFilter = { sort: ReviewSort; stars: number | null };

const sortNames: Record<ReviewSort, string> = { newest: "Newest", highest: "Highest", lowest: "Lowest" };

/** The address of the filtered list; what is usual is left out of it. */
export function filterAddress({ sort, stars }: ReviewFilter, cursor: string | null = null): string {
  const query = new URLSearchParams();
  if (sort !== "newest") query.set("sort", sort);
  if (stars !== null) query.set("stars", String(stars));
  if (cursor !== null) query.set("cursor", cursor);
  return query.size === 0 ? "/reviews" : `/reviews?${query}`;
}

/** Bars to filter by, and the order. All are links: they work without JavaScript, can be shared and gone back from. */
export function ReviewFilters({ filter, page }: { filter: ReviewFilter; page: ReviewPage }) {
  return (
    <div className="mb-8 grid gap-x-16 gap-y-6 md:grid-cols-[minmax(0,26rem)_1fr] md:items-end">
      <nav aria-label="Filter by rating">
        <RatingBars
          counts={page.summary.counts}
          chosen={filter.stars}
          linkOf={(stars) => filterAddress({ ...filter, stars: stars === filter.stars ? null : stars })}
        />
      </nav>
      <div className="grid gap-3 md:justify-items-end">
        {/* One review has no order. */}
        {page.summary.count > 1 && (
          <nav aria-label="Sort reviews" className="flex flex-wrap items-center gap-x-1 gap-y-2">
            <span aria-hidden="true" className="mr-2 text-small text-ink-muted max-[22rem]:w-full">
              Sort by
            </span>
            {reviewSorts.map((sort) => (
              <Link
                key={sort}
                to={filterAddress({ ...filter, sort })}
                preventScrollReset
                aria-current={filter.sort === sort ? "true" : undefined}
                className="inline-flex min-h-11 items-center rounded-full border border-transparent px-3 text-small no-underline hover:bg-cream-soft sm:px-4 aria-[current]:border-forest-800 aria-[current]:font-medium forced-colors:not-aria-[current]:border-[Canvas]"
              >
                {sortNames[sort]}
              </Link>
            ))}
          </nav>
        )}
        <p role="status" className="text-small text-ink-muted">
          {filter.stars !== null && (
            <>
              {page.total} {page.total === 1 ? "review" : "reviews"} with {filter.stars}{" "}
              {filter.stars === 1 ? "star" : "stars"} ·{" "}
              <Link to={filterAddress({ ...filter, stars: null })} preventScrollReset className="link">
                Show all
              </Link>
            </>
          )}
        </p>
      </div>
    </div>
  );
}
