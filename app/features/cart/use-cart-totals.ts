import { taxedStates, taxWaitsForAddress } from "../../../domain/checkout/tax.ts";
import { homeCountry, shippingOptionsFor } from "../../../domain/shipping/shipping-policy.ts";
import { useBrowserState } from "../../ui/browser-state.ts";
import { useShopperCountry } from "../shipping/shopper-country.ts";
import { storedPlace } from "../shipping/stored-place.ts";
import { useCart } from "./cart-store.ts";
import { type CartPolicies, cartTotals, pricedLines } from "./cart-totals.ts";

/**
 * The cart's totals for the shopper's country. `isBeforeTax`: tax will be added once the address is known.
 */
export function useCartTotals(policies: CartPolicies) {
  const { items } = useCart();
  const shopperCountry = useShopperCountry();
  const [place] = useBrowserState(null, storedPlace);
  const isServed = shippingOptionsFor(policies.shipping, shopperCountry).length > 0;
  const country = isServed ? shopperCountry : homeCountry;
  const needsState = taxedStates(policies.tax, country).length > 0;
  const address = place?.country === country && (place.state !== "" || !needsState) ? place : null;
  const { totals, option } = cartTotals(policies, pricedLines(items), {
    country,
    state: address?.state || null,
  });
  const isBeforeTax = address === null && taxWaitsForAddress(policies.tax, country);
  return { country, totals, option, isBeforeTax };
}
