import { taxRateFor } from "../../../domain/checkout/tax.ts";
import { computeTotals, type PricedLine, type Totals } from "../../../domain/checkout/totals.ts";
import { priceWithBestDiscount } from "../../../domain/discounts/best-discount.ts";
import type { Discount } from "../../../domain/discounts/discount.ts";
import type { AutomaticDiscount } from "../../../domain/discounts/discount-terms.ts";
import type { ShopSettings } from "../../../domain/settings/settings.ts";
import {
  defaultShippingOption,
  homeCountry,
  type ShippingOption,
  shippingOptionsFor,
} from "../../../domain/shipping/shipping-policy.ts";
import type { CartItem } from "./cart-storage.ts";

export type CartPolicies = Pick<ShopSettings, "shipping" | "tax"> & {
  /** Discounts that need no code. */
  automatic?: readonly AutomaticDiscount[];
};

/** Amounts that checkout would charge. `option` is null if the shop does not ship to the country. */
export type CartTotals = {
  totals: Totals;
  options: ShippingOption[];
  option: ShippingOption | null;
  discount: (Discount & { automatic?: true }) | null;
};

/**
 * Computes totals as the server does, from the same policies. Without a destination, the shop's home country applies;
 * an option that the country does not offer is replaced by the default one. Only the server decides whether a code
 * applies; an automatic discount that saves as much replaces it.
 */
export function cartTotals(
  policies: CartPolicies,
  lines: readonly PricedLine[],
  { country = homeCountry, state = null, shippingOption = null }: Destination = {},
  code: Discount | null = null,
): CartTotals {
  const { subtotal } = computeTotals({ lines, shippingOption: null }).totals;
  const options = shippingOptionsFor(policies.shipping, country);
  const option =
    options.find(({ id }) => id === shippingOption) ??
    defaultShippingOption(policies.shipping, country, subtotal);
  const taxRate = taxRateFor(policies.tax, country, state);
  const { totals, discount, automatic } = priceWithBestDiscount(
    { lines, shippingOption: option, taxRate },
    { code, automatic: policies.automatic ?? [] },
  );
  return { totals, options, option, discount: automatic ? { ...automatic, automatic: true } : discount };
}

export function pricedLines(items: readonly CartItem[]): PricedLine[] {
  return items.map(({ product: { id: productId, price, bundles }, quantity }) => ({
    productId,
    price,
    bundles,
    quantity,
  }));
}

export type Destination = {
  country?: string;
  state?: string | null;
  shippingOption?: string | null;
};
