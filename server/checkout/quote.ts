import type { CartLine, Quote } from "../../domain/cart.ts";
import type { ShopSettings } from "../../domain/settings.ts";
import {
  defaultShippingOption,
  homeCountry,
  type ShippingOption,
  shippingOptionsFor,
  shippingPriceCents,
} from "../../domain/shipping-policy.ts";
import { taxRateFor } from "../../domain/tax.ts";
import { computeTotals, type LineTotals } from "../../domain/totals.ts";
import type { SellableProduct } from "../catalog/queries.ts";

export type QuoteInput = {
  items: readonly { productId: number; quantity: number }[];
  country: string | null;
  state: string | null;
  shippingOptionId: string | null;
};

export type PricedQuote = {
  quote: Quote;
  lineTotals: LineTotals[];
  option: ShippingOption | null;
  /** The option asked for is not offered for this country. */
  isOptionUnknown: boolean;
};

/**
 * Prices a cart from the shop's own products, policy and taxes. Pure: same input, same answer. Lines whose product no
 * longer exists are left out; `available` says how much of each line could be bought.
 */
export function quoteCart(
  input: QuoteInput,
  products: ReadonlyMap<number, SellableProduct>,
  settings: Pick<ShopSettings, "shipping" | "tax">,
  thumbnail: (file: string) => string,
): PricedQuote {
  const items = input.items.flatMap(({ productId, quantity }): CartLine[] => {
    const product = products.get(productId);
    if (!product) return [];
    return [
      {
        productId,
        slug: product.slug,
        name: product.name,
        image: product.imageFile === null ? null : thumbnail(product.imageFile),
        price: product.priceCents,
        quantity,
        total: product.priceCents * quantity,
        available: Math.max(0, product.free),
      },
    ];
  });
  const country = input.country ?? homeCountry;
  const subtotal = items.reduce((sum, line) => sum + line.total, 0);
  const options = shippingOptionsFor(settings.shipping, country);
  const asked = input.shippingOptionId;
  const option =
    asked === null
      ? defaultShippingOption(settings.shipping, country, subtotal)
      : (options.find(({ id }) => id === asked) ?? null);
  const { totals, lines } = computeTotals({
    lines: items,
    shippingOption: option,
    taxRate: taxRateFor(settings.tax, country, input.state),
  });
  return {
    quote: {
      items,
      totals,
      shippingOptions: options.map((each) => ({ ...each, cost: shippingPriceCents(each, subtotal) })),
      shippingOption: option?.id ?? null,
    },
    lineTotals: lines,
    option,
    isOptionUnknown: asked !== null && option === null,
  };
}
