import { taxRateFor } from "../../../domain/checkout/tax.ts";
import { computeTotals, type PricedLine, type Totals } from "../../../domain/checkout/totals.ts";
import type { Discount } from "../../../domain/discounts/discount.ts";
import type { ShopSettings } from "../../../domain/settings/settings.ts";
import {
  defaultShippingOption,
  homeCountry,
  type ShippingOption,
  shippingOptionsFor,
} from "../../../domain/shipping/shipping-policy.ts";
import type { CartItem } from "./cart-storage.ts";

export type CartPolicies = Pick<ShopSettings, "shipping" | "tax">;

/** What checkout would charge for these lines, sent there. `option` is null where the shop does not ship. */
export type CartTotals = {
  totals: Totals;
  options: ShippingOption[];
  option: ShippingOption | null;
  discount: Discount | null;
};

/**
 * Totals as the server computes them, from the same policies, for a cart and a checkout form that are still open.
 * Without an address the shop's home country is assumed; an option the country does not offer gives way to the default.
 * Whether a discount applies is for the server to say.
 */
export function cartTotals(
  policies: CartPolicies,
  lines: readonly PricedLine[],
  { country = homeCountry, state = null, shippingOption = null }: Destination = {},
  discount: Discount | null = null,
): CartTotals {
  const { subtotal } = computeTotals({ lines, shippingOption: null }).totals;
  const options = shippingOptionsFor(policies.shipping, country);
  const option =
    options.find(({ id }) => id === shippingOption) ??
    defaultShippingOption(policies.shipping, country, subtotal);
  const taxRate = taxRateFor(policies.tax, country, state);
  const { totals } = computeTotals({ lines, shippingOption: option, taxRate, discount });
  return { totals, options, option, discount };
}

export function pricedLines(items: readonly CartItem[]): PricedLine[] {
  return items.map(({ product: { price, bundles }, quantity }) => ({ price, bundles, quantity }));
}

export type Destination = { country?: string; state?: string | null; shippingOption?: string | null };
