import * as v from "valibot";
import { type Bundle, type LinePrice, priceUnits } from "../catalog/bundles.ts";
import { type Discount, isDiscounted } from "../discounts/discount.ts";
import { currency } from "../shared/money.ts";
import { type ShippingOption, shippingPriceCents } from "../shipping/shipping-policy.ts";
import { applyPercent, multiplyDivideHalfUp, splitProportionally } from "./rounding.ts";
import type { TaxRate } from "./tax.ts";

/**
 * Integer cents; `total = subtotal - discount + shipping + tax`. With `taxIncluded` the other parts include the tax: `total =
 * subtotal - discount + shipping`, and `tax` is the tax within it.
 */
export const totalsSchema = v.object({
  subtotal: v.number(),
  discount: v.number(),
  shipping: v.number(),
  tax: v.number(),
  total: v.number(),
  currency: v.string(),
  /** The included tax's name ("VAT"), and its part in the shipping. */
  taxIncluded: v.exactOptional(v.object({ name: v.string(), inShipping: v.number() })),
});
export type Totals = v.InferOutput<typeof totalsSchema>;

/** `price` is of one unit; `bundles` are those on offer. Cents. */
export type PricedLine = {
  /** Needed for discounts on some products only. */
  productId?: number;
  quantity: number;
  price: number;
  bundles?: readonly Bundle[];
};

/** A line's price after bundles, with its share of discount and tax, in cents. */
export type LineTotals = LinePrice & { discount: number; tax: number };

/**
 * Computes an order's amounts for cart, checkout and server.
 * The subtotal is the lines' price after bundles. The discount is spread over the lines of its products; tax is computed on each
 * discounted line, and on shipping if the rate includes it, rounded half up once per line. If prices include the tax, it is not added.
 */
export function computeTotals(input: {
  lines: readonly PricedLine[];
  shippingOption: ShippingOption | null;
  discount?: Discount | null;
  taxRate?: TaxRate | null;
}): { lines: LineTotals[]; totals: Totals } {
  const prices = input.lines.map((line) => priceUnits(line.price, line.quantity, line.bundles));
  const lineTotals = prices.map(({ total }) => total);
  const subtotal = lineTotals.reduce((sum, lineTotal) => sum + lineTotal, 0);
  const { discount: terms = null } = input;
  const discountedTotals = lineTotals.map((total, index) =>
    terms && isDiscounted(terms, input.lines[index]?.productId) ? total : 0,
  );
  const discount = discountOnGoods(
    terms,
    discountedTotals.reduce((sum, total) => sum + total, 0),
  );
  const discounts = splitProportionally(discount, discountedTotals);
  const shipping =
    subtotal === 0 || input.shippingOption === null || terms?.kind === "free_shipping"
      ? 0
      : shippingPriceCents(input.shippingOption, subtotal);
  const rate = input.taxRate ?? null;
  const lines = prices.map((price, index) => {
    const lineDiscount = discounts[index] ?? 0;
    return { ...price, discount: lineDiscount, tax: taxOn(price.total - lineDiscount, rate) };
  });
  const inShipping = rate?.onShipping ? taxOn(shipping, rate) : 0;
  const tax = lines.reduce((sum, line) => sum + line.tax, inShipping);
  const name = tax > 0 && rate?.included;
  return {
    lines,
    totals: {
      subtotal,
      discount,
      shipping,
      tax,
      total: subtotal - discount + shipping + (name ? 0 : tax),
      currency,
      ...(name && { taxIncluded: { name, inShipping } }),
    },
  };
}

/** The tax to add to an amount, or the tax within one that includes it. Cents, rounded half up. */
export function taxOn(cents: number, rate: TaxRate | null): number {
  const thousandths = Math.round((rate?.percent ?? 0) * 1000);
  return multiplyDivideHalfUp(cents, thousandths, 100_000 + (rate?.included ? thousandths : 0));
}

function discountOnGoods(discount: Discount | null, cents: number): number {
  if (discount === null || discount.kind === "free_shipping") return 0;
  return Math.min(cents, discount.kind === "percent" ? applyPercent(cents, discount.value) : discount.value);
}
