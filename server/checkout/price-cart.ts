import { findSellable } from "../catalog/queries.ts";
import type { ShopContext } from "../context.ts";
import type { VisitorId } from "../platform/viewer.ts";
import { type PricedQuote, type QuoteInput, quoteCart } from "./quote.ts";

/** Prices a cart by what is on sale, and by a discount code, now. */
export async function priceCart(
  ctx: ShopContext,
  request: Omit<QuoteInput, "shippingOptionId" | "discount"> & {
    shippingOption: string | null;
    discountCode?: string | null;
    visitorId?: VisitorId | null;
  },
): Promise<PricedQuote> {
  const products = await findSellable(
    ctx.db,
    request.items.map(({ productId }) => productId),
  );
  const { discountCode: code, visitorId = null } = request;
  const discount = code ? await ctx.askForDiscount({ code, visitorId }) : null;
  const input = { ...request, shippingOptionId: request.shippingOption, discount };
  return quoteCart(input, products, await ctx.settings(), ctx.thumbnail);
}
