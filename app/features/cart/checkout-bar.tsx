import { type RefObject, useEffect, useState } from "react";
import { useTotalText } from "../checkout/use-total-text.ts";
import { useCart } from "./cart-store.ts";
import { CheckoutButton } from "./cart-summary.tsx";
import type { CartPolicies } from "./cart-totals.ts";
import { lineProblem } from "./line-problem.ts";
import { useCartTotals } from "./use-cart-totals.ts";

/**
 * On phones: total and checkout at the bottom of the screen until the summary's own button is in view, and for as long as
 * the keyboard's focus is in it.
 */
export function CheckoutBar({
  policies,
  until,
}: {
  policies: CartPolicies;
  until: RefObject<HTMLElement | null>;
}) {
  const { items } = useCart();
  const totalText = useTotalText();
  const [isOff, setOff] = useState(false);
  useEffect(() => {
    const end = until.current;
    if (!end) return;
    const observer = new IntersectionObserver(([entry]) => {
      // Above the screen counts too: at the page's end the bar would cover the footer.
      setOff(entry !== undefined && (entry.isIntersecting || entry.boundingClientRect.top < 0));
    });
    observer.observe(end);
    return () => observer.disconnect();
  }, [until]);

  const { totals, isBeforeTax } = useCartTotals(policies);
  return (
    <section
      data-buy-bar
      aria-label="Checkout"
      className={`fixed inset-x-0 bottom-0 z-(--z-buybar) grid grid-cols-[1fr_auto] items-center gap-4 bg-paper px-(--gutter) pt-2.5 pb-[calc(.625rem+env(safe-area-inset-bottom))] shadow-bar transition-[translate,visibility] duration-(--dur-3) ease-out max-[22rem]:*:last:px-4 md:hidden ${
        isOff ? "invisible translate-y-[110%] focus-within:visible focus-within:translate-y-0" : ""
      }`}
    >
      <p className="leading-[1.3]">
        <span className="block text-small text-ink-muted">{isBeforeTax ? "Total before tax" : "Total"}</span>
        <b className="text-[1.0625rem] font-semibold tabular-nums">
          {totalText(isBeforeTax ? totals.total - totals.tax : totals.total)}
        </b>
      </p>
      <CheckoutButton isBlocked={items.some(lineProblem)} />
    </section>
  );
}
