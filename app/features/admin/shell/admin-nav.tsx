import type { LucideIcon } from "lucide-react";
import Ellipsis from "lucide-react/icons/ellipsis";
import { Link, useLocation } from "react-router";
import type { AdminCounts } from "../../../../domain/admin/admin.ts";
import { Icon } from "../../../ui/icon.tsx";
import { useMayOpen } from "../rights.ts";
import { type AdminTab, adminTabs, barTabs, isWithin, tabGroups, waitingIn } from "./tabs.ts";

/** The side menu with all tabs, from 1024 px. `counts` null: unknown. */
export function SideMenu({ counts }: { counts: AdminCounts | null }) {
  return (
    <nav
      aria-label="All admin sections"
      className="border-r border-line bg-surface px-4 py-6 max-lg:hidden print:hidden"
    >
      <TabLinks tabs={useAllowedTabs()} counts={counts} />
    </nav>
  );
}

/** The bar at the bottom below 1024 px: the tabs used every day, and More with the others. */
export function BottomBar({ counts }: { counts: AdminCounts | null }) {
  const { pathname } = useLocation();
  const tabs = useAllowedTabs();
  const bar = barTabs.filter((tab) => tabs.includes(tab));
  const inBar = bar.find((tab) => isWithin(tab, pathname));
  const others = tabs.filter((tab) => !barTabs.includes(tab));
  return (
    <nav
      aria-label="Admin sections"
      className="fixed inset-x-0 bottom-0 z-(--z-header) flex h-(--admin-bar-h) justify-center border-t border-line bg-surface px-1 pb-[env(safe-area-inset-bottom)] shadow-bar lg:hidden print:hidden"
    >
      {bar.map((tab) => (
        <BarLink
          key={tab.to}
          to={tab.to}
          glyph={tab.glyph}
          label={tab.inBar ?? tab.label}
          isCurrent={tab === inBar}
          count={waitingIn([tab], counts)}
          words={tab.waiting?.words}
        />
      ))}
      <BarLink
        to={morePath}
        glyph={Ellipsis}
        label="More"
        isCurrent={inBar === undefined}
        count={waitingIn(others, counts)}
        words="waiting"
      />
    </nav>
  );
}

/** The tabs that the viewer's role may open. */
export function useAllowedTabs(): AdminTab[] {
  const mayOpen = useMayOpen();
  return adminTabs.filter(({ to }) => mayOpen(to));
}

/** The page that stands for the side menu on phones. */
const morePath = "/admin/more";

function BarLink({
  to,
  glyph,
  label,
  isCurrent,
  count,
  words,
}: {
  to: string;
  glyph: LucideIcon;
  label: string;
  isCurrent: boolean;
  count: number;
  words: string | undefined;
}) {
  return (
    <Link
      to={to}
      aria-current={isCurrent ? "page" : undefined}
      className="group relative flex min-w-0 max-w-28 flex-1 flex-col items-center justify-center gap-0.5 text-[.6875rem] leading-tight font-medium text-ink-muted no-underline -outline-offset-2! aria-[current=page]:text-ink forced-colors:aria-[current=page]:underline"
    >
      <span className="relative rounded-full px-4 py-1 group-aria-[current=page]:bg-forest-800 group-aria-[current=page]:text-paper">
        <Icon glyph={glyph} className="size-5" />
        <span className="absolute -top-1.5 left-[60%]">
          <WaitingBadge count={count} words={words} />
        </span>
      </span>
      {label}
    </Link>
  );
}

/** Links to tabs, grouped, each with a badge for its open work. `counts` null: unknown. */
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
function WaitingBadge({ count, words }: { count: number; words: string | undefined }) {
  if (count === 0) return null;
  return (
    <span className="inline-block min-w-5 rounded-full bg-copper-300 px-1.5 text-center text-[.6875rem] leading-5 font-semibold text-forest-950 tabular-nums">
      {count > 99 ? "99+" : count}
      <span className="sr-only"> {words}</span>
    </span>
  );
}
