import Ellipsis from "lucide-react/icons/ellipsis";
import { useEffect, useId, useSyncExternalStore } from "react";
import { Link, useLocation, useNavigation } from "react-router";
import type { AdminCounts } from "../../../../domain/admin/admin.ts";
import { changeListeners } from "../../../ui/browser/browser-state.ts";
import { Icon } from "../../../ui/icon.tsx";
import { useMayOpen, useRights } from "../rights.ts";
import {
  type AdminTab,
  adminTabs,
  barLabels,
  isWithin,
  maxBarEntries,
  openWorkIn,
  packingTab,
  workCalls,
} from "./tabs.ts";

/** The side menu, from 1024 px. `counts`: open work by kind; null before it is loaded. */
export function SideMenu({ counts }: { counts: AdminCounts | null }) {
  return (
    <nav
      aria-label="All admin sections"
      className="border-r border-line bg-surface px-3 py-5 max-lg:hidden print:hidden"
    >
      <TabLinks tabs={useAllowedTabs()} counts={counts} />
    </nav>
  );
}

/** The path of the current page or, while another page loads, of that page, so that the menu responds to a press at once. */
export function useMenuPath(): string {
  const { pathname } = useLocation();
  const loadingPath = useNavigation().location?.pathname;
  return loadingPath?.startsWith("/admin") ? loadingPath : pathname;
}

/** Number of mounted components that replace the bottom bar. */
let barReplacements = 0;
const bottomBar = changeListeners();

function countBarReplacements(change: 1 | -1): void {
  barReplacements += change;
  bottomBar.notify();
}

/** Hides the bottom bar on phones while the component is mounted, to make room for the page's own actions. */
export function useHiddenBottomBar(): void {
  useEffect(() => {
    countBarReplacements(1);
    return () => countBarReplacements(-1);
  }, []);
}

function useIsBottomBarHidden(): boolean {
  return useSyncExternalStore(
    bottomBar.subscribe,
    () => barReplacements > 0,
    () => false,
  );
}

/** The bar at the bottom below 1024 px: the most used entries, and More with the others. */
export function BottomBar({ counts }: { counts: AdminCounts | null }) {
  const pathname = useMenuPath();
  const tabs = useAllowedTabs();
  const barTabs = tabs.length <= maxBarEntries ? tabs : tabs.filter(({ label }) => barLabels.includes(label));
  const currentBarTab = barTabs.find((tab) => isWithin(tab, pathname));
  if (useIsBottomBarHidden()) return null;
  return (
    <nav
      aria-label="Admin sections"
      className="fixed inset-x-0 bottom-0 z-(--z-header) flex h-(--admin-bar-h) justify-center border-t border-line bg-surface px-1 pb-[env(safe-area-inset-bottom)] shadow-bar lg:hidden print:hidden"
    >
      {barTabs.map((tab) => (
        <BarLink
          key={tab.label}
          tab={tab}
          isCurrent={tab === currentBarTab}
          count={openWorkIn([tab], counts)}
        />
      ))}
      <BarLink
        tab={moreTab}
        isCurrent={currentBarTab === undefined}
        count={openWorkIn(
          tabs.filter((tab) => !barTabs.includes(tab)),
          counts,
        )}
      />
    </nav>
  );
}

/** The menu's entries with the pages that the viewer's role may open, and the open work that it may do. */
export function useAllowedTabs(): AdminTab[] {
  const mayOpen = useMayOpen();
  const { calls } = useRights();
  const allTabs = mayOpen("/admin") ? adminTabs : [packingTab, ...adminTabs];
  return allTabs.flatMap((tab) => {
    const [first, ...others] = tab.pages.filter(({ to }) => mayOpen(to));
    if (!first) return [];
    const { openWork } = tab;
    const mayCall = (call: string | undefined) => call === undefined || (calls?.includes(call) ?? true);
    const counts = openWork?.counts.filter((name) => mayCall(workCalls[name]));
    return [
      { ...tab, pages: [first, ...others], ...(openWork && counts && { openWork: { ...openWork, counts } }) },
    ];
  });
}

/** Entry of the bottom bar for the page that replaces the side menu on phones. */
const moreTab: AdminTab = {
  label: "More",
  group: "shop",
  glyph: Ellipsis,
  pages: [{ to: "/admin/more", label: "More" }],
  openWork: { counts: [], label: "waiting" },
};

function BarLink({ tab, isCurrent, count }: { tab: AdminTab; isCurrent: boolean; count: number }) {
  const { label, name, glyph, pages, openWork } = tab;
  const badgeId = useId();
  return (
    <Link
      to={pages[0].to}
      aria-current={isCurrent ? "page" : undefined}
      aria-describedby={count > 0 ? badgeId : undefined}
      className="group relative flex min-w-0 max-w-28 flex-1 flex-col items-center justify-center gap-0.5 border-t-3 border-transparent text-[.6875rem] leading-tight font-medium text-ink-muted no-underline -outline-offset-2! aria-[current=page]:border-copper-600 aria-[current=page]:text-ink forced-colors:aria-[current=page]:underline"
    >
      <span className="relative px-4 py-1 group-aria-[current=page]:text-copper-700">
        <Icon glyph={glyph} className="size-5" />
        <span className="absolute -top-1.5 left-[55%]">
          <WaitingBadge id={badgeId} count={count} label={openWork?.label} />
        </span>
      </span>
      <TabName label={label} name={name} />
    </Link>
  );
}

/** The short label; screen readers read the longer name instead. */
function TabName({ label, name }: { label: string; name: string | undefined }) {
  if (name === undefined) return label;
  return (
    <>
      <span aria-hidden="true">{label}</span>
      <span className="sr-only">{name}</span>
    </>
  );
}

/** Links to menu entries in their groups, each with a badge for its open work. `counts` is null before they are loaded. */
export function TabLinks({ tabs, counts }: { tabs: readonly AdminTab[]; counts: AdminCounts | null }) {
  const groups = [...new Set(tabs.map(({ group }) => group))];
  return groups.map((group) => (
    <ul key={group} className="border-line not-first:mt-3 not-first:border-t not-first:pt-3">
      {tabs
        .filter((tab) => tab.group === group)
        .map((tab) => (
          <li key={tab.label}>
            <MenuLink tab={tab} count={openWorkIn([tab], counts)} />
          </li>
        ))}
    </ul>
  ));
}

function MenuLink({ tab, count }: { tab: AdminTab; count: number }) {
  const isCurrent = isWithin(tab, useMenuPath());
  const badgeId = useId();
  return (
    <Link
      to={tab.pages[0].to}
      aria-current={isCurrent ? "page" : undefined}
      aria-describedby={count > 0 ? badgeId : undefined}
      className="flex min-h-11 items-center gap-2.5 rounded-sm px-3 py-1.5 text-ui font-medium text-ink-muted no-underline outline-offset-0! hover:bg-cream-soft aria-[current=page]:bg-cream aria-[current=page]:font-semibold aria-[current=page]:text-ink forced-colors:aria-[current=page]:underline"
    >
      <Icon glyph={tab.glyph} className={`size-4.5 ${isCurrent ? "text-copper-700" : ""}`} />
      <TabName label={tab.label} name={tab.name} />
      <span className="ml-auto">
        <WaitingBadge id={badgeId} count={count} label={tab.openWork?.label} />
      </span>
    </Link>
  );
}

/** Count in a pill, hidden at 0. Describes its link (`id`) instead of being part of its name; `label` is for screen readers only. */
function WaitingBadge({ id, count, label }: { id: string; count: number; label: string | undefined }) {
  if (count === 0) return null;
  return (
    <span
      id={id}
      aria-hidden="true"
      className="inline-block min-w-5 rounded-full bg-copper-300 px-1.5 text-center text-[.6875rem] leading-5 font-semibold text-forest-950 tabular-nums"
    >
      {count > 99 ? "99+" : count}
      <span className="sr-only"> {label}</span>
    </span>
  );
}
