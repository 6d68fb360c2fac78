import ArrowRight from "lucide-react/icons/arrow-right";
import Package from "lucide-react/icons/package";
import { Icon } from "../ui/icon.tsx";
import { PageLink } from "../ui/page-link.tsx";
import { mainLinks } from "./site-links.ts";

/** The navigation of small screens, below the bar. */
export function MobileMenu({ isOpen }: { isOpen: boolean }) {
  return (
    <nav
      id="mobile-menu"
      aria-label="Mobile"
      hidden={!isOpen}
      className="max-h-[calc(100svh-var(--header-h))] overflow-auto border-t border-line bg-paper px-(--gutter) pt-2 pb-8 md:hidden"
    >
      <ul>
        {mainLinks.map(({ to, label }) => (
          <li key={to} className="border-b border-line">
            <PageLink
              to={to}
              className="type-display flex min-h-15 items-center justify-between text-2xl tracking-[-.015em] no-underline"
            >
              {label} <Icon glyph={ArrowRight} />
            </PageLink>
          </li>
        ))}
      </ul>
      <PageLink to="/orders" className="mt-5 flex min-h-11 items-center gap-3 text-ink-muted no-underline">
        <Icon glyph={Package} /> My Orders
      </PageLink>
    </nav>
  );
}
