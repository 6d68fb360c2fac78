import Lock from "lucide-react/icons/lock";
import Truck from "lucide-react/icons/truck";
import { type Ref, type RefObject, useEffect, useState } from "react";
import { taxedStates, taxWaitsForAddress } from "../../../domain/checkout/tax.ts";
import { automaticText } from "../../../domain/discounts/discount-terms.ts";
import { countryInSentence } from "../../../domain/shared/country.ts";
import { countryNotes } from "../../../domain/shipping/country-notes.ts";
import { homeCountry, shippingOptionsFor } from "../../../domain/shipping/shipping-policy.ts";
import { Announcement } from "../../ui/announcement.tsx";
import { useBrowserState } from "../../ui/browser/browser-state.ts";
import { Button, ButtonLink, buttonClass } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { Icon } from "../../ui/icon.tsx";
import { readSharedCode } from "../checkout/shared-code.ts";
import { TotalsList } from "../checkout/totals-list.tsx";
import { useTotalText } from "../checkout/use-total-text.ts";
import { WalletSlot } from "../checkout/wallets/wallet-slot.tsx";
import { ChangeCountry } from "../shipping/change-country.tsx";
import { useShopperCountry } from "../shipping/shopper-country.ts";
import { storedPlace } from "../shipping/stored-place.ts";
import { blockedText, lineProblem } from "./cart-line.tsx";
import { useCart } from "./cart-store.ts";
import { type CartPolicies, cartTotals, pricedLines } from "./cart-totals.ts";
import { FreeShippingBox } from "./free-shipping-box.tsx";

/** Totals and the buttons to buy. The phone's bottom bar is hidden while the element of `endRef` is in view. */
export function CartSummary({
  policies,
  hasWallets,
  endRef,
  onFixed,
}: {
  /** `arrivals`: arrival text by option id, such as "Arrives Nov 27 – Dec 2". */
  policies: CartPolicies & { arrivals: Record<string, string> };
  hasWallets: boolean;
  endRef: Ref<HTMLDivElement>;
  onFixed: (removedNames: string[]) => void;
}) {
  const { items } = useCart();
  const totalText = useTotalText();
  const { country, totals, option, discount, isBeforeTax } = useCartTotals(policies);
  const notes = countryNotes(policies.shipping);
  const arrival = option && policies.arrivals[option.id];
  const unavailableFix = useUnavailableFix(onFixed);
  const [sharedCode] = useBrowserState(null, readSharedCode);
  return (
    <Panel className="max-md:rounded-none max-md:bg-transparent max-md:p-0 lg:sticky lg:top-[calc(var(--header-h-scrolled)+2rem)] lg:col-start-2 lg:row-span-2 lg:row-start-1">
      <h2 id="order-summary" className="mb-2 text-h3 md:mb-4">
        Order Summary
      </h2>
      <div className="mb-5 empty:hidden">
        <FreeShippingBox policy={policies.shipping} country={country} totals={totals} />
      </div>
      <TotalsList
        totals={totals}
        taxPending={isBeforeTax ? "at checkout" : null}
        discountCode={discount?.code ?? null}
      />
      {discount && <p className="mt-4 text-small text-ink-muted">{automaticText(discount.code)}</p>}
      {sharedCode && (
        <p className="mt-4 text-small text-ink-muted">
          Your code <b className="font-medium wrap-anywhere">{sharedCode}</b> is waiting for you at checkout.
        </p>
      )}
      {notes.length > 0 && (
        <div className="mt-4 flex flex-wrap items-center gap-x-2.5 text-small text-ink-muted">
          <p className="flex items-center gap-2.5">
            <Icon glyph={Truck} className="size-4.5 text-gold-600" />
            <span>
              {arrival && !unavailableFix ? `${arrival} in` : "Shipping to"} {countryInSentence(country)}
            </span>
          </p>
          <ChangeCountry notes={notes} className="-my-2.5" />
        </div>
      )}
      <Announcement
        text={
          isBeforeTax
            ? `Total before tax ${totalText(totals.total - totals.tax)}`
            : `Total ${totalText(totals.total)}`
        }
      />
      <div ref={endRef} className="mt-6">
        <p role="status" className="mb-3 text-small empty:hidden">
          {unavailableFix && `${blockedText} The total still counts everything.`}
        </p>
        <div className="grid gap-2.5">
          {unavailableFix && <Button onClick={unavailableFix.fix}>{unavailableFix.action}</Button>}
          <CheckoutButton isBlocked={unavailableFix !== null} block />
        </div>
      </div>
      {hasWallets && !unavailableFix && (
        <div className="mt-2.5">
          <WalletSlot place="cart" items={walletItems(items)} />
        </div>
      )}
      <p className="mt-3.5 text-center text-caption text-ink-muted">Secure checkout with SSL encryption</p>
    </Panel>
  );
}

/**
 * The label and the action of a button that removes the lines that cannot be bought, or lowers them to the units left.
 * Null if all can be bought. The button then disappears, so `onFixed` must move the focus.
 */
function useUnavailableFix(onFixed: (removedNames: string[]) => void) {
  const { items, remove, setQuantity } = useCart();
  const lines = items.flatMap(({ product, ...item }) => {
    const problem = lineProblem(item);
    return problem ? [{ product, ...problem }] : [];
  });
  if (lines.length === 0) return null;
  return {
    action: lines.every(({ buyable }) => buyable === 0)
      ? "Remove unavailable items"
      : "Keep what’s available",
    fix() {
      for (const { product, buyable } of lines)
        if (buyable === 0) remove(product.id);
        else setQuantity(product.id, buyable);
      onFixed(lines.filter(({ buyable }) => buyable === 0).map(({ product }) => product.name));
    },
  };
}

/** The link to checkout; a disabled button while a line cannot be bought (`isBlocked`). */
function CheckoutButton({ isBlocked, block = false }: { isBlocked: boolean; block?: boolean }) {
  const content = (
    <>
      <Icon glyph={Lock} size="small" /> Secure Checkout
    </>
  );
  return isBlocked ? (
    <Button disabled block={block}>
      {content}
    </Button>
  ) : (
    <ButtonLink to="/checkout" block={block}>
      {content}
    </ButtonLink>
  );
}

export function walletItems(items: ReturnType<typeof useCart>["items"]) {
  return items.map(({ product, quantity }) => ({ productId: product.id, quantity }));
}

/**
 * On phones: total and checkout at the bottom of the screen, until the summary's own button (`until`) is in view. Stays
 * while the keyboard's focus is in it.
 */
export function CheckoutBar({
  policies,
  until,
}: {
  policies: CartPolicies;
  until: RefObject<HTMLElement | null>;
}) {
  const { items } = useCart();
  const blockedCount = items.filter(lineProblem).length;
  const totalText = useTotalText();
  const [isHidden, setHidden] = useState(false);
  useEffect(() => {
    const end = until.current;
    if (!end) return;
    const observer = new IntersectionObserver(([entry]) => {
      // Also hidden while the button is above the screen, where the bar would cover the footer.
      setHidden(entry !== undefined && (entry.isIntersecting || entry.boundingClientRect.top < 0));
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
        isHidden ? "invisible translate-y-[110%] focus-within:visible focus-within:translate-y-0" : ""
      }`}
    >
      <p className="leading-[1.3]">
        <span className="block text-small text-ink-muted">
          {blockedCount > 0 ? "Not available" : isBeforeTax ? "Total before tax" : "Total"}
        </span>
        <b className="text-[1.0625rem] font-semibold tabular-nums">
          {blockedCount > 0
            ? `${blockedCount} ${blockedCount === 1 ? "item" : "items"}`
            : totalText(isBeforeTax ? totals.total - totals.tax : totals.total)}
        </b>
      </p>
      {blockedCount > 0 ? (
        <a href="#order-summary" className={buttonClass({})}>
          What to change
        </a>
      ) : (
        <CheckoutButton isBlocked={false} />
      )}
    </section>
  );
}

/**
 * The cart's totals for the shopper's country. `isBeforeTax`: tax will be added once the address is known.
 */
function useCartTotals(policies: CartPolicies) {
  const { items } = useCart();
  const shopperCountry = useShopperCountry();
  const [place] = useBrowserState(null, storedPlace);
  const isServed = shippingOptionsFor(policies.shipping, shopperCountry).length > 0;
  const country = isServed ? shopperCountry : homeCountry;
  const needsState = taxedStates(policies.tax, country).length > 0;
  const address = place?.country === country && (place.state !== "" || !needsState) ? place : null;
  const { totals, option, discount } = cartTotals(policies, pricedLines(items), {
    country,
    state: address?.state || null,
  });
  const isBeforeTax = address === null && taxWaitsForAddress(policies.tax, country);
  return { country, totals, option, discount, isBeforeTax };
}
