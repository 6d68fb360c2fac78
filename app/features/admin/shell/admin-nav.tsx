import { useEffect, useRef } from "react";
import { Link, useLocation } from "react-router";
import type { AdminCounts } from "../../../../domain/admin/admin.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { type AdminTab, adminTabs, isWithin } from "./tabs.ts";

/** The sections: a column at the side from 1024 px, below that a row that scrolls sideways. `counts` null: not known. */
export function AdminNav({ counts }: { counts: AdminCounts | null }) {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another current tab
  useEffect(() => showCurrent(nav.current), [pathname]);
  return (
    <nav
      ref={nav}
      aria-label="Admin sections"
      className="flex min-w-0 [scrollbar-width:none] gap-1 overflow-x-auto border-b border-line bg-surface px-(--gutter) py-2 lg:flex-col lg:overflow-visible lg:border-r lg:border-b-0 lg:px-4 lg:py-6 print:hidden"
    >
      {adminTabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          aria-current={isWithin(tab, pathname) ? "page" : undefined}
          className="inline-flex min-h-11 items-center gap-2.5 rounded-sm px-3.5 py-1.5 text-ui font-medium whitespace-nowrap text-ink-muted no-underline outline-offset-0! hover:bg-cream-soft aria-[current=page]:bg-forest-800 forced-colors:aria-[current=page]:underline aria-[current=page]:text-paper"
        >
          <Icon glyph={tab.glyph} className="size-4.5" /> {tab.label}
          <Waiting tab={tab} counts={counts} />
        </Link>
      ))}
    </nav>
  );
}

function Waiting({ tab: { waiting }, counts }: { tab: AdminTab; counts: AdminCounts | null }) {
  const count = waiting && counts ? counts[waiting.count] + (waiting.and ? counts[waiting.and] : 0) : 0;
  if (!waiting || count === 0) return null;
  return (
    <span className="relative ml-auto">
      <Badge tone={waiting.count === "ordersToShip" ? "cream" : "yellow"}>
        {count > 99 ? "99+" : count}
        <span className="sr-only"> {waiting.words}</span>
      </Badge>
    </span>
  );
}

/** Sideways alone: `scrollIntoView` would move the page as well. */
function showCurrent(nav: HTMLElement | null): void {
  const current = nav?.querySelector("[aria-current=page]");
  if (!nav || !(current instanceof HTMLElement)) return;
  nav.scrollLeft = current.offsetLeft - nav.offsetLeft - (nav.clientWidth - current.offsetWidth) / 2;
}
