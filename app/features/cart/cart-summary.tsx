import Lock from "lucide-react/icons/lock";
import Truck from "lucide-react/icons/truck";
import type { Ref } from "react";
import { countryInSentence } from "../../../domain/shared/country.ts";
import { countryNotes } from "../../../domain/shipping/country-notes.ts";
import { Announcement } from "../../ui/announcement.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { Banner } from "../../ui/error-banner.tsx";
import { Icon } from "../../ui/icon.tsx";
import { TotalsList } from "../checkout/totals-list.tsx";
import { useTotalText } from "../checkout/use-total-text.ts";
import { WalletSlot } from "../checkout/wallets/wallet-slot.tsx";
import { ChangeCountry } from "../shipping/change-country.tsx";
import { useCart } from "./cart-store.ts";
import type { CartPolicies } from "./cart-totals.ts";
import { FreeShippingBox } from "./free-shipping-box.tsx";
import { lineProblem } from "./line-problem.ts";
import { useCartTotals } from "./use-cart-totals.ts";

/** What the cart comes to, and the way to checkout. `endRef` is where the phone's bottom bar stops being needed. */
export function CartSummary({
  policies,
  hasWallets,
  endRef,
}: {
  /** `arrivals`: option -> "Arrives Nov 27 - Dec 2". */
  policies: CartPolicies & { arrivals: Record<string, string> };
  hasWallets: boolean;
  endRef: Ref<HTMLDivElement>;
}) {
  const { items } = useCart();
  const totalText = useTotalText();
  const { country, totals, option, isBeforeTax } = useCartTotals(policies);
  const notes = countryNotes(policies.shipping);
  const arrival = option && policies.arrivals[option.id];
  const isBlocked = items.some(lineProblem);
  return (
    <Panel className="lg:sticky lg:top-[calc(var(--header-h-scrolled)+2rem)]">
      <h2 id="order-summary" className="mb-5 text-h3">
        Order Summary
      </h2>
      <FreeShippingBox policy={policies.shipping} country={country} subtotalCents={totals.subtotal} />
      <TotalsList totals={totals} taxPending={isBeforeTax ? "at checkout" : null} />
      {notes.length > 0 && (
        <div className="mt-4 flex flex-wrap items-center gap-x-2.5 text-small text-ink-muted">
          <p className="flex items-center gap-2.5">
            <Icon glyph={Truck} className="size-4.5 shrink-0 text-gold-600" />
            <span>
              {arrival && !isBlocked ? `${arrival} in` : "Shipping to"} {countryInSentence(country)}
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
      {isBlocked && (
        <Banner tone="warning" className="mt-6" role="status">
          Some items can’t be bought right now. Change or remove them to continue.
        </Banner>
      )}
      <div ref={endRef} className="mt-6">
        <CheckoutButton isBlocked={isBlocked} block />
      </div>
      {hasWallets && !isBlocked && (
        <div className="mt-2.5">
          <WalletSlot place="cart" items={walletItems(items)} />
        </div>
      )}
      <p className="mt-3.5 text-center text-caption text-ink-muted">Secure checkout with SSL encryption</p>
    </Panel>
  );
}

/** Leads to checkout, unless a line has to be put right first. */
export function CheckoutButton({ isBlocked, block = false }: { isBlocked: boolean; block?: boolean }) {
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

/** The cart as a wallet buys it. */
export function walletItems(items: ReturnType<typeof useCart>["items"]) {
  return items.map(({ product, quantity }) => ({ productId: product.id, quantity }));
}
