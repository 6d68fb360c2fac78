import * as v from "valibot";
import { bundleSchema, usedBundleSchema } from "../catalog/bundles.ts";
import { totalsSchema } from "../checkout/totals.ts";
import { discountKinds } from "../discounts/discount.ts";

/**
 * A priced line of a cart. `available` is what could be bought now; cents. `price` is that of one unit, `total = listTotal -
 * bundleSaving`; `bundles` were used for it, of those that the product has on offer.
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

/** Answer of the cart calls. Lines whose product is gone are left out. */
export const cartSchema = v.object({ items: v.array(cartLineSchema), totals: totalsSchema });
export type Cart = v.InferOutput<typeof cartSchema>;

/** Answer of `POST /api/cart/quote`. */
export const quoteSchema = v.object({
  ...cartSchema.entries,
  /**
   * `days`: business days to deliver, [least, most]; `cost`: what the option costs for this cart. `arrival`: the first and last
   * date on which it would come if it were ordered now; null without a country, and where something is sold out.
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
  /** The discount in these totals; null: no code was asked for, or it does not apply. */
  discount: v.nullable(
    v.object({ code: v.string(), kind: v.picklist(discountKinds), value: v.number(), label: v.string() }),
  ),
  /** Why the code asked for does not apply, for the shopper; else null. */
  discountProblem: v.nullable(v.string()),
});
export type Quote = v.InferOutput<typeof quoteSchema>;
