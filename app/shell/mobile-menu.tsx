import ArrowRight from "lucide-react/icons/arrow-right";
import Mail from "lucide-react/icons/mail";
import Package from "lucide-react/icons/package";
import Sprout from "lucide-react/icons/sprout";
import { Icon } from "../ui/icon.tsx";
import { PageLink } from "../ui/page-link.tsx";
import type { FrameData } from "./footer.tsx";

const glyphs: Record<string, typeof Mail> = {
  "/story": Sprout,
  "/orders": Package,
  "/contact-simple": Mail,
};

/** The navigation of small screens, below the bar. */
export function MobileMenu({ isOpen, menu }: { isOpen: boolean; menu: FrameData["menu"] }) {
  return (
    <nav
      id="mobile-menu"
      aria-label="Mobile"
      hidden={!isOpen}
      className="max-h-[calc(100svh-var(--header-h))] overflow-auto border-t border-line bg-paper px-(--gutter) pt-2 pb-8 md:hidden"
    >
      <ul>
        {menu.header.map(({ to, label }) => (
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
        {menu.phone.map(({ to, label }) => (
          <li key={to}>
            <PageLink to={to} className="flex min-h-11 items-center gap-3 no-underline">
              <Icon glyph={glyphs[to] ?? ArrowRight} /> {label}
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
