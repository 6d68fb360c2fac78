import { taxedStates, taxWaitsForAddress } from "../../../domain/checkout/tax.ts";
import { homeCountry, shippingOptionsFor } from "../../../domain/shipping/shipping-policy.ts";
import { useBrowserState } from "../../ui/browser-state.ts";
import { knownPlace } from "../shipping/known-place.ts";
import { useShopperCountry } from "../shipping/shopper-country.ts";
import { useCart } from "./cart-store.ts";
import { type CartPolicies, cartTotals, pricedLines } from "./cart-totals.ts";

/**
 * What the cart comes to, sent to the shopper's country. `isBeforeTax`: tax comes on top, and how much is known only by an
 * address, which nobody has typed yet.
 */
export function useCartTotals(policies: CartPolicies) {
  const { items } = useCart();
  const wanted = useShopperCountry();
  const [place] = useBrowserState(null, knownPlace);
  const isServed = shippingOptionsFor(policies.shipping, wanted).length > 0;
  const country = isServed ? wanted : homeCountry;
  const needsState = taxedStates(policies.tax, country).length > 0;
  const address = place?.country === country && (place.state !== "" || !needsState) ? place : null;
  const { totals, option } = cartTotals(policies, pricedLines(items), {
    country,
    state: address?.state || null,
  });
  const isBeforeTax = address === null && taxWaitsForAddress(policies.tax, country);
  return { country, totals, option, isBeforeTax };
}
