import ArrowRight from "lucide-react/icons/arrow-right";
import Mail from "lucide-react/icons/mail";
import Menu from "lucide-react/icons/menu";
import Package from "lucide-react/icons/package";
import ShoppingBag from "lucide-react/icons/shopping-bag";
import Sprout from "lucide-react/icons/sprout";
import X from "lucide-react/icons/x";
import { useEffect, useRef, useState } from "react";
import { useLocation, useRouteLoaderData } from "react-router";
import logo from "../../assets/brand/logo.svg";
import { useCart } from "../features/cart/cart-store.ts";
import type { loader } from "../root.tsx";
import { Announcement } from "../ui/announcement.tsx";
import { IconButton, iconButtonClass } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { PageLink } from "../ui/page-link.tsx";
import type { FrameData } from "./footer.tsx";

/** The header shrinks and casts a stronger shadow once the page has been scrolled this far. */
const shrinkAfterPx = 20;

/** The box around the header keeps its height; otherwise the whole page would shift when the header shrinks. */
export function Header() {
  const isScrolled = useScrolled();
  const { key, pathname } = useLocation();
  const menu = useRouteLoaderData<typeof loader>("root")?.menu;
  const [isOpen, setOpen] = useState(false);
  const menuButton = useRef<HTMLButtonElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation closes the menu, even to the same place
  useEffect(() => setOpen(false), [key]);

  useEffect(() => {
    if (!isOpen) return;
    const close = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpen(false);
      menuButton.current?.focus();
    };
    document.addEventListener("keydown", close);
    return () => document.removeEventListener("keydown", close);
  }, [isOpen]);

  return (
    <div className="pointer-events-none sticky top-0 z-(--z-header) h-(--header-h) print:hidden">
      <header
        className={`pointer-events-auto sticky top-0 bg-paper/96 backdrop-blur-[10px] transition-shadow duration-(--dur-3) ${
          isScrolled || isOpen ? "shadow-header-scrolled" : "shadow-header"
        }`}
      >
        <div
          className={`wrap flex items-center transition-[height] duration-(--dur-3) ease-out md:grid md:grid-cols-[1fr_auto_1fr] ${
            isScrolled ? "h-(--header-h-scrolled)" : "h-(--header-h)"
          }`}
        >
          <PageLink
            to="/"
            aria-label="Palmira, home"
            className="inline-flex min-h-11 items-center justify-self-start"
          >
            <img
              src={logo}
              width={168}
              height={33}
              alt="Palmira"
              className={`w-auto forced-color-adjust-none transition-[height] forced-colors:bg-paper duration-(--dur-3) ease-out ${
                isScrolled ? "h-6.5 md:h-7" : "h-7.5 md:h-8.25"
              }`}
            />
          </PageLink>
          <nav
            aria-label="Main"
            className={`hidden md:flex ${(menu?.header.length ?? 0) > 3 ? "gap-4 lg:gap-9" : "gap-9"}`}
          >
            {menu?.header.map(({ to, label }) => (
              <PageLink
                key={to}
                to={to}
                aria-current={to === pathname ? "page" : undefined}
                className="relative inline-flex min-h-11 items-center text-ui font-medium no-underline after:absolute after:inset-x-0 after:bottom-[9px] after:h-px after:origin-left after:scale-x-0 after:bg-copper-600 forced-colors:after:bg-[CanvasText] after:transition-transform after:duration-(--dur-3) after:ease-out hover:after:scale-x-100 aria-[current=page]:after:scale-x-100"
              >
                {label}
              </PageLink>
            ))}
          </nav>
          <div className="-mr-2.5 ml-auto flex items-center gap-0.5 md:ml-0 md:justify-self-end">
            <CartButton />
            <IconButton
              ref={menuButton}
              label={isOpen ? "Close menu" : "Open menu"}
              aria-expanded={isOpen}
              aria-controls="mobile-menu"
              className="md:hidden"
              onClick={() => setOpen(!isOpen)}
            >
              <Icon glyph={isOpen ? X : Menu} />
            </IconButton>
          </div>
        </div>
        {menu && <MobileMenu isOpen={isOpen} menu={menu} />}
      </header>
    </div>
  );
}

function useScrolled(): boolean {
  const [isScrolled, setScrolled] = useState(false);
  useEffect(() => {
    const updateScrolled = () => setScrolled(window.scrollY > shrinkAfterPx);
    updateScrolled();
    window.addEventListener("scroll", updateScrolled, { passive: true });
    return () => window.removeEventListener("scroll", updateScrolled);
  }, []);
  return isScrolled;
}

/** A link to the cart, with the number of its units once the browser has read it. */
function CartButton() {
  const { count, ready } = useCart();
  const label = `Cart, ${count} ${count === 1 ? "item" : "items"}`;
  return (
    <>
      <PageLink to="/cart" aria-label={label} className={iconButtonClass}>
        <Icon glyph={ShoppingBag} />
        {count > 0 && (
          <span
            key={count}
            aria-hidden="true"
            className="animate-pop absolute top-[3px] -right-1 h-[19px] min-w-[19px] rounded-full bg-danger px-[3px] text-center text-xs leading-[19px] font-semibold text-white tabular-nums ring-2 ring-paper"
          >
            {count}
          </span>
        )}
      </PageLink>
      <Announcement text={ready ? label : null} />
    </>
  );
}

const glyphs: Record<string, typeof Mail> = {
  "/story": Sprout,
  "/orders": Package,
  "/contact-simple": Mail,
};

/** The navigation of small screens, which fills the screen below the bar. */
function MobileMenu({ isOpen, menu }: { isOpen: boolean; menu: FrameData["menu"] }) {
  return (
    <nav
      id="mobile-menu"
      aria-label="Mobile"
      hidden={!isOpen}
      className="h-[calc(100dvh-var(--header-h))] overflow-auto border-t border-line bg-paper px-(--gutter) pt-2 pb-8 md:hidden"
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
