import type { Totals } from "../checkout/totals.ts";
import type { AppliedDiscount } from "../discounts/discount.ts";
import type { ShippingOption } from "../shipping/shipping-policy.ts";

/** A priced line of a cart. `available` is what could be bought now; cents. */
export type CartLine = {
  productId: number;
  slug: string;
  name: string;
  image: string | null;
  price: number;
  quantity: number;
  total: number;
  available: number;
};

/** Answer of the cart calls. Lines whose product is gone are left out. */
export type Cart = { items: CartLine[]; totals: Totals };

/** Answer of `POST /api/cart/quote`. */
export type Quote = Cart & {
  shippingOptions: (ShippingOption & { cost: number })[];
  shippingOption: string | null;
  /** The discount in these totals; null: no code was asked for, or it does not apply. */
  discount: AppliedDiscount | null;
  /** Why the code asked for does not apply, for the shopper; else null. */
  discountProblem: string | null;
};
