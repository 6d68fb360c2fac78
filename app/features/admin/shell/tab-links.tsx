import { Link, useLocation } from "react-router";
import type { AdminCounts } from "../../../../domain/admin/admin.ts";
import { Icon } from "../../../ui/icon.tsx";
import { type AdminTab, isWithin, tabGroups, waitingIn } from "./tabs.ts";

/** Sections under the heading of their group, each with how much waits there. `counts` null: not known. */
export function TabLinks({ tabs, counts }: { tabs: readonly AdminTab[]; counts: AdminCounts | null }) {
  const { pathname } = useLocation();
  return tabGroups.map((group) => {
    const inGroup = tabs.filter((tab) => tab.group === group);
    if (inGroup.length === 0) return null;
    return (
      <div key={group} className="mt-5 first:mt-0">
        <p aria-hidden="true" className="mb-1 px-3.5 text-caption font-semibold text-ink-muted">
          {group}
        </p>
        <ul aria-label={group}>
          {inGroup.map((tab) => (
            <li key={tab.to}>
              <Link
                to={tab.to}
                aria-current={isWithin(tab, pathname) ? "page" : undefined}
                className="flex min-h-11 items-center gap-2.5 rounded-sm px-3.5 py-1.5 text-ui font-medium text-ink-muted no-underline outline-offset-0! hover:bg-cream-soft lg:min-h-10 lg:py-1 aria-[current=page]:bg-forest-800 aria-[current=page]:text-paper forced-colors:aria-[current=page]:underline"
              >
                <Icon glyph={tab.glyph} className="size-4.5 shrink-0" /> {tab.label}
                <span className="ml-auto">
                  <WaitingBadge count={waitingIn([tab], counts)} words={tab.waiting?.words} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    );
  });
}

/** Count in a pill, hidden at 0; `words` are for screen readers only. */
export function WaitingBadge({ count, words }: { count: number; words: string | undefined }) {
  if (count === 0) return null;
  return (
    <span className="inline-block min-w-5 rounded-full bg-copper-300 px-1.5 text-center text-[.6875rem] leading-5 font-semibold text-forest-950 tabular-nums">
      {count > 99 ? "99+" : count}
      <span className="sr-only"> {words}</span>
    </span>
  );
}
