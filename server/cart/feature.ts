import { and, asc, inArray, lte } from "drizzle-orm";
import * as v from "valibot";
import { cartSchema, quoteSchema } from "../../domain/cart/cart.ts";
import { maxCartLines } from "../../domain/cart/cart-limits.ts";
import { countrySchema, quantitySchema, shippingAddressSchema } from "../../domain/checkout/checkout.ts";
import { refusedDiscountsSchema } from "../../domain/discounts/discount-form.ts";
import { productIdSchema } from "../../domain/shared/number-fields.ts";
import { dataEnvelope, flatDataEnvelope, ok, okFlat, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import { codeRefusal, countUnknownCode } from "../discounts/code-attempts.ts";
import type { Feature } from "../feature.ts";
import type { Person, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { notFoundProblem, problem } from "../platform/http/problem.ts";
import type { VisitorId } from "../platform/http/viewer.ts";
import {
  addToCart,
  clearCart,
  hashedNetwork,
  purgeCarts,
  readCart,
  removeFromCart,
  setInCart,
} from "./commands.ts";
import { purgeRateQuotes, quoteLiveRates } from "./live-rates.ts";
import { cartFrom, priceCart } from "./quote.ts";
import { cartItems, rateQuotes } from "./tables.ts";

const optionalText = (max: number) =>
  v.optional(v.nullable(v.pipe(v.string(), v.trim(), v.maxLength(max))), null);

const quoteRequestSchema = v.object({
  items: v.pipe(
    v.array(v.object({ productId: productIdSchema, quantity: quantitySchema }), "Must be a list"),
    v.maxLength(maxCartLines, `At most ${maxCartLines} lines`),
  ),
  country: v.optional(v.nullable(countrySchema), null),
  state: optionalText(100),
  shippingOption: optionalText(40),
  discountCode: optionalText(40),
  /** The whole address, for carriers' prices if the owner has turned them on. */
  shipping: v.exactOptional(shippingAddressSchema),
  /** Names of automatic discounts for which an order was refused; the response's prices leave them out. */
  withoutDiscounts: v.exactOptional(refusedDiscountsSchema),
});

const shared = { tag: "Cart", access: "anyone" } as const;
const response = flatDataEnvelope(cartSchema.entries);

/** A visitor's cart, and quotes of any cart. */
const cartApi = [
  route("GET /api/cart", {
    ...shared,
    summary: "The visitor's cart, priced now",
    limit: "none",
    response,
    responses: { 200: "Lines and totals; empty for an unknown visitor" },
    handle: (ctx, { viewer }) => readCartResponse(ctx, viewer.visitorId),
  }),
  route("POST /api/cart/add", {
    ...shared,
    summary: "Add units of a product",
    limit: "write",
    body: v.object({
      productId: productIdSchema,
      quantity: quantitySchema,
      buyNow: v.optional(v.boolean(), false),
    }),
    response,
    responses: {
      200: "The cart. With `buyNow` the units replace those of an earlier `buyNow`, if the cart has not changed otherwise since",
      404: "No such published product",
    },
    handle: async (ctx, { body, visitor, address }) => {
      const visitorId = visitor();
      const network = hashedNetwork(ctx, address);
      const added = await addToCart(ctx, { visitorId, network, ...body });
      if (added.ok) return readCartResponse(ctx, visitorId);
      return added.reason === "unknown_product"
        ? notFoundProblem("product")
        : problem("validation_failed", "The cart is full.", {
            fields: { productId: `A cart holds at most ${maxCartLines} different products` },
          });
    },
  }),
  route("POST /api/cart/remove", {
    ...shared,
    summary: "Remove a product from the cart",
    limit: "write",
    body: v.object({ productId: productIdSchema }),
    response,
    responses: { 200: "The cart" },
    handle: async (ctx, { body, visitor }) => {
      const visitorId = visitor();
      await removeFromCart(ctx.db, visitorId, body.productId);
      return readCartResponse(ctx, visitorId);
    },
  }),
  route("POST /api/cart/set", {
    ...shared,
    summary: "Set the quantity of a product in the cart",
    limit: "write",
    body: v.object({ productId: productIdSchema, quantity: quantitySchema }),
    response,
    responses: { 200: "The cart" },
    handle: async (ctx, { body, visitor }) => {
      const visitorId = visitor();
      await setInCart(ctx.db, visitorId, body);
      return readCartResponse(ctx, visitorId);
    },
  }),
  route("POST /api/cart/clear", {
    ...shared,
    summary: "Empty the cart",
    limit: "write",
    response,
    responses: { 200: "The empty cart" },
    handle: async (ctx, { visitor }) => {
      const visitorId = visitor();
      await clearCart(ctx.db, visitorId);
      return readCartResponse(ctx, visitorId);
    },
  }),
  route("POST /api/cart/quote", {
    ...shared,
    summary: "Price a cart for a destination, without saving it",
    limit: "write",
    body: quoteRequestSchema,
    response: dataEnvelope(quoteSchema),
    responses: {
      200: "Priced lines, shipping options and totals; `discount` is what the code or an automatic discount gives, whichever saves more; `discountProblem` says why the code does not apply. `rateQuoteId`: the options have carriers' prices, which an order with this id is charged for 30 minutes",
    },
    handle: async (ctx, { body, visitor, address }) => {
      // Checkout starts with this call, so it sets the visitor's cookie, to which the order will belong.
      const visitorId = visitor();
      const refusal = body.discountCode ? await codeRefusal(ctx, address) : null;
      if (refusal) return refusal;
      const { items, shipping } = body;
      const live =
        shipping && (await quoteLiveRates(ctx, { visitorId, network: address, items, address: shipping }));
      const liveRates = live?.rates ?? null;
      const { quote, isOptionUnknown, isCodeUnknown } = await priceCart(ctx, {
        ...body,
        visitorId,
        liveRates,
      });
      if (isCodeUnknown) await countUnknownCode(ctx, address);
      return isOptionUnknown
        ? problem("validation_failed", "This shipping option is not available for the address.", {
            fields: { shippingOption: "This shipping option is not available for the address" },
          })
        : ok({ ...quote, ...(live && { rateQuoteId: live.id }) });
    },
  }),
];

async function readCartResponse(ctx: ShopContext, visitorId: VisitorId | null) {
  const items = visitorId === null ? [] : await readCart(ctx.db, visitorId);
  const noDestination = { country: null, state: null, shippingOption: null };
  const { quote } = await priceCart(ctx, { items, visitorId, ...noDestination });
  return okFlat(cartFrom(quote));
}

export const cartFeature = {
  api: cartApi,
  purges: [purgeCarts, purgeRateQuotes],
  personalData: { lists: { carts: exportCarts }, erase: eraseCarts },
} satisfies Feature;

async function exportCarts(db: Db, { visitorIds }: Person, limit: number) {
  return db
    .select({ productId: cartItems.productId, quantity: cartItems.quantity, addedAt: cartItems.addedAt })
    .from(cartItems)
    .where(inArray(cartItems.visitorId, visitorIds))
    .orderBy(asc(cartItems.addedAt), asc(cartItems.visitorId), asc(cartItems.productId))
    .limit(limit);
}

/** Deletes cart lines that these browsers added up to the time `until`, and the prices that they were shown. */
async function eraseCarts(tx: Db, { visitorIds, until }: PersonToErase): Promise<void> {
  await tx
    .delete(cartItems)
    .where(and(inArray(cartItems.visitorId, visitorIds), lte(cartItems.addedAt, until)));
  await tx.delete(rateQuotes).where(inArray(rateQuotes.visitorId, visitorIds));
}
