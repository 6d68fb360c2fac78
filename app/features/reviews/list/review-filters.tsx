import SlidersHorizontal from "lucide-react/icons/sliders-horizontal";
import { Link } from "react-router";
import type { RatingCounts } from "../../../../domain/reviews/review.ts";
import { Icon } from "../../../ui/icon.tsx";
import type { FilterLink, FilterLinks } from "./filter-links.ts";

/** Keeps the scroll position and the focus at the filter, because its list is below it. */
const inPlaceLinkProps = { preventScrollReset: true, state: { keepsFocus: true } };

/** Filters by stars. Filters are links: they work without JavaScript, with Back, and can be shared. */
export function RatingFilter({ links, counts }: { links: FilterLinks; counts: RatingCounts }) {
  return (
    <nav aria-label="Filter by rating" className="w-full">
      <RatingBars counts={counts} links={links.stars} />
    </nav>
  );
}

/** A button that opens the sort orders and the filters by hair, skin and photos; the number of results is below it. */
export function ReviewFilters({ links }: { links: FilterLinks }) {
  const sort = links.sorts.find(({ isCurrent }) => isCurrent);
  return (
    <div className="grid gap-1">
      {(sort || links.groups.length > 0) && (
        <details className="group">
          <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-4 text-small [&::-webkit-details-marker]:hidden">
            <span className="inline-flex min-h-11 items-center gap-2 rounded-sm border border-forest-800 px-4 text-ui font-medium group-open:bg-forest-800 group-open:text-paper">
              <Icon glyph={SlidersHorizontal} size="small" /> Filter
            </span>
            {sort && <span className="text-ink-muted">{sort.text} first</span>}
          </summary>
          <div className="mt-2 grid gap-1 rounded-md border border-line bg-surface p-4">
            {links.groups.map(({ label, links }) => (
              <Chips key={label} label={label} name={`Filter by ${label.toLowerCase()}`} links={links} />
            ))}
            {sort && <Chips label="Sort by" name="Sort reviews" links={links.sorts} />}
          </div>
        </details>
      )}
      <p role="status" className="text-small text-ink-muted empty:hidden">
        {links.resultText && (
          <>
            {links.resultText} ·{" "}
            <Link to={links.unfilteredPath} {...inPlaceLinkProps} className="link">
              Show all
            </Link>
          </>
        )}
      </p>
    </div>
  );
}

function Chips({ label, name, links }: { label: string; name: string; links: FilterLink[] }) {
  return (
    <nav aria-label={name} className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span aria-hidden="true" className="w-16 text-small text-ink-muted max-sm:w-full">
        {label}
      </span>
      {links.map(({ text, count, to, isCurrent }) => (
        <Link
          key={text}
          to={to}
          {...inPlaceLinkProps}
          aria-current={isCurrent ? "true" : undefined}
          className="inline-flex min-h-11 items-center rounded-full border border-line px-3 text-small no-underline hover:bg-cream-soft aria-[current]:border-forest-800 aria-[current]:font-medium forced-colors:not-aria-[current]:border-[Canvas]"
        >
          {text}
          {count !== undefined && <span className="text-ink-muted">&nbsp;({count})</span>}
        </Link>
      ))}
    </nav>
  );
}

/** Number of reviews for each number of stars; each bar links to those reviews. */
function RatingBars({ counts, links }: { counts: RatingCounts; links: FilterLinks["stars"] }) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return (
    <ul className="grid" aria-label="Ratings">
      {links.map(({ stars, to, isCurrent }) => {
        const count = counts[stars - 1] ?? 0;
        return (
          <li key={stars}>
            <Link
              to={to}
              {...inPlaceLinkProps}
              aria-current={isCurrent ? "true" : undefined}
              className="-mx-2 grid min-h-11 grid-cols-[4.6rem_1fr_2rem] items-center gap-3 rounded-sm px-2 text-small no-underline hover:bg-cream-soft aria-[current]:bg-cream aria-[current]:font-semibold md:min-h-9"
            >
              <span>
                {stars} {stars === 1 ? "star" : "stars"}
              </span>
              <span className="h-1.5 overflow-hidden rounded-full bg-sand">
                <span
                  className="block h-full bg-copper-600 forced-colors:bg-[CanvasText]"
                  style={{ width: `${total === 0 ? 0 : (100 * count) / total}%` }}
                />
              </span>
              <span className="text-right tabular-nums">
                {count}
                <span className="sr-only"> {count === 1 ? "review" : "reviews"}</span>
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
