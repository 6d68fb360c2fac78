import { Link, useSearchParams } from "react-router";
import { withParam } from "./address.ts";

/**
 * One parameter of the address as a row of links: `value` null is the list without it. The row scrolls sideways where
 * it does not fit.
 */
export function FilterTabs({
  label,
  param,
  options,
}: {
  /** For screen readers: "Filter orders". */
  label: string;
  param: string;
  options: { value: string | null; label: string; count?: number }[];
}) {
  const [search] = useSearchParams();
  const chosen = search.get(param);
  return (
    <nav aria-label={label} className="max-w-full overflow-x-auto rounded-sm [scrollbar-width:none]">
      <ul className="inline-flex gap-0.5 rounded-sm bg-cream p-0.75">
        {options.map(({ value, label, count }) => (
          <li key={label}>
            <Link
              to={withParam(search, param, value)}
              preventScrollReset
              aria-current={value === chosen ? "true" : undefined}
              className="flex min-h-11 items-center gap-1.5 rounded-[3px] px-3 text-small font-medium whitespace-nowrap no-underline -outline-offset-2! aria-[current=true]:bg-surface aria-[current=true]:shadow-header forced-colors:aria-[current=true]:underline"
            >
              {label}
              {count !== undefined && (
                <span className="text-ink-muted tabular-nums">{count > 99 ? "99+" : count}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
