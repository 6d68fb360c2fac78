import * as v from "valibot";
import { bundleSchema, usedBundleSchema } from "../catalog/bundles.ts";
import { totalsSchema } from "../checkout/totals.ts";
import { discountKinds } from "../discounts/discount.ts";

/**
 * A priced line of a cart, in cents. `available`: units that can be bought now. `price` is of one unit, `total = listTotal -
 * bundleSaving`. `bundles` are applied to this line, `bundleOffers` are all that the product has.
 */
const cartLineSchema = v.object({
  productId: v.number(),
  slug: v.string(),
  name: v.string(),
  image: v.nullable(v.string()),
  price: v.number(),
  quantity: v.number(),
  total: v.number(),
  listTotal: v.number(),
  bundleSaving: v.number(),
  bundles: v.array(usedBundleSchema),
  bundleOffers: v.array(bundleSchema),
  available: v.number(),
});
export type CartLine = v.InferOutput<typeof cartLineSchema>;

/** Response of the cart calls. Lines of removed products are left out. */
export const cartSchema = v.object({
  items: v.array(cartLineSchema),
  totals: totalsSchema,
  automaticDiscount: v.exactOptional(v.object({ name: v.string(), label: v.string() })),
});
export type Cart = v.InferOutput<typeof cartSchema>;

/** Response of `POST /api/cart/quote`. */
export const quoteSchema = v.object({
  items: cartSchema.entries.items,
  totals: cartSchema.entries.totals,
  /**
   * `days`: business days to deliver, [least, most]; `cost`: the option's price for this cart. `arrival`: first and last
   * expected date if ordered now; null without a country, and if an item is sold out.
   */
  shippingOptions: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      price: v.number(),
      freeFrom: v.nullable(v.number()),
      days: v.tuple([v.number(), v.number()]),
      cost: v.number(),
      arrival: v.nullable(v.object({ earliest: v.string(), latest: v.string() })),
    }),
  ),
  shippingOption: v.nullable(v.string()),
  /** The discount in these totals; null if there is none. `automatic`: it needs no code, and `code` is its name. */
  discount: v.nullable(
    v.object({
      code: v.string(),
      kind: v.picklist(discountKinds),
      value: v.number(),
      label: v.string(),
      automatic: v.exactOptional(v.literal(true)),
      productIds: v.exactOptional(v.array(v.number())),
    }),
  ),
  /** Why the entered code does not apply, for the shopper; otherwise null. */
  discountProblem: v.nullable(v.string()),
  /** Id of the carriers' prices in these shipping options, for the order; missing if the prices are the shop's own. */
  rateQuoteId: v.exactOptional(v.string()),
});
export type Quote = v.InferOutput<typeof quoteSchema>;
