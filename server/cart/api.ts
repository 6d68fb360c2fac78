import { createHmac } from "node:crypto";
import * as v from "valibot";
import type { Quote } from "../../domain/cart/cart.ts";
import { cartLinesMax } from "../../domain/cart/cart-limits.ts";
import { countrySchema, productIdSchema, quantitySchema } from "../../domain/checkout/checkout.ts";
import type { CodeTries } from "../discounts/code-attempts.ts";
import { type Answer, type AnyApiRow, ok, okWhole, route } from "../http/api-row.ts";
import { networkOf } from "../platform/client-address.ts";
import type { Database } from "../platform/database.ts";
import { problem } from "../platform/problem.ts";
import type { VisitorId } from "../platform/viewer.ts";
import { addToCart, clearCart, readCart, removeFromCart } from "./commands.ts";

const optionalText = (max: number) =>
  v.optional(v.nullable(v.pipe(v.string(), v.trim(), v.maxLength(max))), null);

const quoteSchema = v.object({
  items: v.pipe(
    v.array(v.object({ productId: productIdSchema, quantity: quantitySchema }), "Must be a list"),
    v.maxLength(cartLinesMax, `At most ${cartLinesMax} lines`),
  ),
  country: v.optional(v.nullable(countrySchema), null),
  state: optionalText(100),
  shippingOption: optionalText(40),
  discountCode: optionalText(40),
});

export type QuoteRequest = v.InferOutput<typeof quoteSchema>;

export type CartParts = {
  db: Database;
  now(): Date;
  /** Keys the hash that is kept of a network address. */
  secret: string;
  /**
   * `isOptionUnknown`: the shipping option asked for is not offered for that country. `isCodeUnknown`: there is no such
   * discount code. `visitorId`: whose own unpaid orders do not stand in the way of a code.
   */
  quote(
    request: QuoteRequest & { visitorId: VisitorId | null },
  ): Promise<{ quote: Quote; isOptionUnknown: boolean; isCodeUnknown: boolean }>;
  codeTries: CodeTries;
};

const noDestination = { country: null, state: null, shippingOption: null, discountCode: null };

export function cartApi(parts: CartParts): AnyApiRow[] {
  const cartOf = async (visitorId: VisitorId | null): Promise<Answer> => {
    const items = visitorId === null ? [] : await readCart(parts.db, visitorId);
    const { quote } = await parts.quote({ items, visitorId, ...noDestination });
    return okWhole({ items: quote.items, totals: quote.totals });
  };
  return [
    route("GET /api/cart", {
      tag: "Cart",
      summary: "The visitor's cart, priced now",
      access: "anyone",
      limit: "none",
      answers: { 200: "Lines and totals; empty for a browser the shop does not know" },
      handle: (_ctx, { viewer }) => cartOf(viewer.visitorId),
    }),
    route("POST /api/cart/add", {
      tag: "Cart",
      summary: "Add units of a product",
      access: "anyone",
      limit: "write",
      body: v.object({ productId: productIdSchema, quantity: quantitySchema }),
      answers: { 200: "The cart", 404: "No such product on show" },
      handle: async (_ctx, { body, visitor, address }) => {
        const visitorId = visitor();
        const network = createHmac("sha256", parts.secret)
          .update(`network:${networkOf(address)}`)
          .digest();
        const added = await addToCart(parts.db, { visitorId, network, now: parts.now(), ...body });
        if (added.ok) return cartOf(visitorId);
        return added.reason === "unknown_product"
          ? problem("not_found", "There is no such product.")
          : problem("validation_failed", "The cart is full.", {
              fields: { productId: `A cart holds at most ${cartLinesMax} different products` },
            });
      },
    }),
    route("POST /api/cart/remove", {
      tag: "Cart",
      summary: "Take a product out",
      access: "anyone",
      limit: "write",
      body: v.object({ productId: productIdSchema }),
      answers: { 200: "The cart" },
      handle: async (_ctx, { body, visitor }) => {
        const visitorId = visitor();
        await removeFromCart(parts.db, visitorId, body.productId);
        return cartOf(visitorId);
      },
    }),
    route("POST /api/cart/clear", {
      tag: "Cart",
      summary: "Empty the cart",
      access: "anyone",
      limit: "write",
      answers: { 200: "The empty cart" },
      handle: async (_ctx, { visitor }) => {
        const visitorId = visitor();
        await clearCart(parts.db, visitorId);
        return cartOf(visitorId);
      },
    }),
    route("POST /api/cart/quote", {
      tag: "Cart",
      summary: "Price a cart for a destination, without keeping it",
      access: "anyone",
      limit: "write",
      body: quoteSchema,
      answers: {
        200: "Priced lines, shipping options and totals; `discount` is what the code gives, or `discountProblem` says why it does not apply",
      },
      handle: async (_ctx, { body, visitor, address }) => {
        // Checkout opens with this call: it leaves the browser with the cookie that its order will belong to.
        const visitorId = visitor();
        const refusal = body.discountCode ? await parts.codeTries.refusal(address) : null;
        if (refusal) return refusal;
        const { quote, isOptionUnknown, isCodeUnknown } = await parts.quote({ ...body, visitorId });
        if (isCodeUnknown) await parts.codeTries.countUnknown(address);
        return isOptionUnknown
          ? problem("validation_failed", "This shipping option is not available for the address.", {
              fields: { shippingOption: "This shipping option is not available for the address" },
            })
          : ok(quote);
      },
    }),
  ];
}
