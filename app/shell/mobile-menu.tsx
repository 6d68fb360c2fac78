import ArrowRight from "lucide-react/icons/arrow-right";
import Mail from "lucide-react/icons/mail";
import Package from "lucide-react/icons/package";
import Sprout from "lucide-react/icons/sprout";
import { Icon } from "../ui/icon.tsx";
import { PageLink } from "../ui/page-link.tsx";
import type { mainLinks } from "./site-links.ts";

const minorLinks = [
  { to: "/story", label: "Our Story", glyph: Sprout },
  { to: "/orders", label: "My Orders", glyph: Package },
  { to: "/contact-simple", label: "Contact Us", glyph: Mail },
];

/** The navigation of small screens, below the bar. */
export function MobileMenu({ isOpen, links }: { isOpen: boolean; links: ReturnType<typeof mainLinks> }) {
  return (
    <nav
      id="mobile-menu"
      aria-label="Mobile"
      hidden={!isOpen}
      className="max-h-[calc(100svh-var(--header-h))] overflow-auto border-t border-line bg-paper px-(--gutter) pt-2 pb-8 md:hidden"
    >
      <ul>
        {links.map(({ to, label }) => (
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
      <ul className="mt-5 text-ink-muted">
        {minorLinks.map(({ to, label, glyph }) => (
          <li key={to}>
            <PageLink to={to} className="flex min-h-11 items-center gap-3 no-underline">
              <Icon glyph={glyph} /> {label}
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
