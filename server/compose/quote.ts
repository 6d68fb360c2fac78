import { findSellable } from "../catalog/queries.ts";
import type { CheckoutParts } from "../checkout/parts.ts";
import { type PricedQuote, type QuoteInput, quoteCart } from "../checkout/quote.ts";
import type { VisitorId } from "../platform/viewer.ts";

/** Prices a cart by what is on sale, and by a discount code, now. */
export type AskForQuote = (
  request: Omit<QuoteInput, "shippingOptionId" | "discount"> & {
    shippingOption: string | null;
    discountCode?: string | null;
    visitorId?: VisitorId | null;
  },
) => Promise<PricedQuote>;

export function createQuote({ db, askForDiscount, settings, thumbnail }: CheckoutParts): AskForQuote {
  return async (request) => {
    const products = await findSellable(
      db,
      request.items.map(({ productId }) => productId),
    );
    const { discountCode: code, visitorId = null } = request;
    const discount = code ? await askForDiscount({ code, visitorId }) : null;
    const input = { ...request, shippingOptionId: request.shippingOption, discount };
    return quoteCart(input, products, await settings(), thumbnail);
  };
}
