import SlidersHorizontal from "lucide-react/icons/sliders-horizontal";
import X from "lucide-react/icons/x";
import { type ReactNode, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { useCurrentInView } from "../../../../ui/browser/use-current-in-view.ts";
import { ButtonLink } from "../../../../ui/button.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { PanelButton } from "../action-button.tsx";
import { withoutParams, withParam } from "./search-params.ts";

export type FilterGroup = {
  /** The group's title, such as "State". */
  title: string;
  /** For screen readers, such as "Filter orders". */
  label: string;
  /** The group's query parameter in the URL. */
  param: string;
  /** A null `value` means no filter. */
  options: { value: string | null; label: string; count?: number }[];
};

/**
 * A list's filters, kept in its URL: rows of links on wide screens; on phones, or with `isCollapsed`, one button, which shows the
 * number of active filters and opens them all. A single row of links is shown on phones, too. `more`: fields for other
 * parameters, named in `moreParams`.
 */
export function FilterBar({
  groups,
  more,
  moreParams = [],
  moreActiveFilters = [],
  isCollapsed = false,
}: {
  groups: FilterGroup[];
  more?: ReactNode;
  moreParams?: readonly string[];
  /** Texts of the active filters among `moreParams`. */
  moreActiveFilters?: readonly { param: string; label: string }[];
  isCollapsed?: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const [search] = useSearchParams();
  const navigate = useNavigate();
  // A parameter whose value is not an option belongs to another control, such as the list's tabs.
  const groupParams = groups
    .filter(({ param, options }) => options.some(({ value }) => value === search.get(param)))
    .map(({ param }) => param);
  const params = [...groupParams, ...moreParams];
  const count = params.filter((param) => search.get(param)).length;
  const activeFilters = [
    ...groups.flatMap(({ param, options }) => {
      const option = options.find(({ value }) => value !== null && value === search.get(param));
      return option ? [{ param, label: option.label }] : [];
    }),
    ...moreActiveFilters,
  ];
  const [firstGroup] = groups;
  if (firstGroup && groups.length === 1 && !more && !isCollapsed) return <FilterTabs {...firstGroup} />;
  return (
    <>
      <div
        className={`flex max-w-full flex-wrap items-center gap-3 noscript:flex ${isCollapsed ? "hidden" : "max-md:hidden"}`}
      >
        {groups.map((group) => (
          <FilterTabs key={group.param} {...group} />
        ))}
        {more}
      </div>
      <div
        className={`flex max-w-full flex-wrap items-center gap-2 noscript:hidden ${isCollapsed ? "" : "md:hidden"}`}
      >
        <PanelButton onClick={() => setOpen(true)}>
          <Icon glyph={SlidersHorizontal} size="small" /> Filters{count > 0 && `: ${count}`}
        </PanelButton>
        {activeFilters.map(({ param, label }) => (
          <Link
            key={param}
            to={withParam(search, param, null)}
            preventScrollReset
            aria-label={`Take the filter ${label} off`}
            className="inline-flex min-h-11 items-center gap-1.5 rounded-full bg-cream px-3.5 text-small font-medium no-underline"
          >
            {label} <Icon glyph={X} size="small" />
          </Link>
        ))}
        {count > activeFilters.length && (
          <ButtonLink variant="quiet" size="small" to={withoutParams(search, params)} preventScrollReset>
            <Icon glyph={X} size="small" /> Clear
          </ButtonLink>
        )}
      </div>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Filters"
        actions={
          <>
            {count > 0 && (
              <ButtonLink
                variant="secondary"
                size="small"
                to={withoutParams(search, params)}
                preventScrollReset
                onClick={() => setOpen(false)}
              >
                Clear all
              </ButtonLink>
            )}
            <PanelButton variant="primary" onClick={() => setOpen(false)}>
              Show the list
            </PanelButton>
          </>
        }
      >
        <div className="mt-4 grid gap-5">
          {groups.map(({ title, param, options }) => (
            <section key={param} aria-label={title}>
              <p className="mb-2 text-caption font-semibold text-ink-muted">{title}</p>
              <ul className="flex flex-wrap gap-2">
                {options.map(({ value, label, count }) => (
                  <li key={label}>
                    {/* A button, because the dialog initially focuses its first button or field: without one here, a date field. */}
                    <button
                      type="button"
                      aria-pressed={value === search.get(param)}
                      onClick={() =>
                        void navigate(withParam(search, param, value), {
                          preventScrollReset: true,
                          replace: true,
                        })
                      }
                      className="flex min-h-11 min-w-11 items-center justify-center gap-1.5 rounded-full border border-line-strong px-4 text-small font-medium aria-pressed:border-forest-800 aria-pressed:bg-forest-800 aria-pressed:text-paper forced-colors:aria-pressed:underline"
                    >
                      {label}
                      {count !== undefined && (
                        <span className="tabular-nums opacity-80">{count > 99 ? "99+" : count}</span>
                      )}
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          ))}
          {more}
        </div>
      </Dialog>
    </>
  );
}

/** Total length of a filter's labels that fits in one row on phones. */
const maxRowLetters = 32;

/**
 * A filter as a row of links; on phones, a long filter has two columns. A row that still does not fit scrolls sideways.
 */
function FilterTabs({ label, param, options }: FilterGroup) {
  const [search] = useSearchParams();
  const currentValue = search.get(param);
  const row = useCurrentInView<HTMLElement>(currentValue);
  const isLong = options.reduce((letters, { label }) => letters + label.length, 0) > maxRowLetters;
  return (
    <nav
      ref={row}
      aria-label={label}
      className="relative max-w-full overflow-x-auto rounded-sm [scrollbar-width:none] max-md:w-full"
    >
      <ul
        className={`inline-flex gap-0.5 rounded-sm bg-cream p-0.75 max-md:min-w-full ${isLong ? "max-md:grid max-md:grid-cols-2" : ""}`}
      >
        {options.map(({ value, label, count }) => (
          <li key={label} className="max-md:grow">
            <Link
              to={withParam(search, param, value)}
              preventScrollReset
              aria-current={value === currentValue ? "true" : undefined}
              className="flex min-h-11 min-w-11 items-center justify-center gap-1.5 rounded-[3px] px-2 text-small font-medium whitespace-nowrap no-underline -outline-offset-2! aria-[current=true]:bg-surface aria-[current=true]:shadow-header md:px-3 forced-colors:aria-[current=true]:underline"
            >
              <span className="max-w-56 truncate" title={label}>
                {label}
              </span>
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
