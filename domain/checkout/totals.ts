import * as v from "valibot";
import type { Discount } from "../discounts/discount.ts";
import { currency } from "../shared/money.ts";
import { type ShippingOption, shippingPriceCents } from "../shipping/shipping-policy.ts";
import { percentOf, splitProportionally } from "./rounding.ts";
import type { TaxRate } from "./tax.ts";

/** All in integer cents; `total = subtotal - discount + shipping + tax`. */
export const totalsSchema = v.object({
  subtotal: v.number(),
  discount: v.number(),
  shipping: v.number(),
  tax: v.number(),
  total: v.number(),
  currency: v.string(),
});
export type Totals = v.InferOutput<typeof totalsSchema>;

export type PricedLine = { quantity: number; price: number };

/** Tax and discount that fell on one line, in cents. */
export type LineTotals = { total: number; discount: number; tax: number };

/**
 * The one place where an order's amount is computed, for cart, checkout and server alike.
 * Discount comes off the goods and is spread over the lines; tax is taken on what is left of each line, and on
 * shipping where the rate says so, rounded half up once per line.
 */
export function computeTotals(input: {
  lines: readonly PricedLine[];
  shippingOption: ShippingOption | null;
  discount?: Discount | null;
  taxRate?: TaxRate | null;
}): { lines: LineTotals[]; totals: Totals } {
  const lineTotals = input.lines.map((line) => line.price * line.quantity);
  const subtotal = lineTotals.reduce((sum, lineTotal) => sum + lineTotal, 0);
  const discount = discountOnGoods(input.discount ?? null, subtotal);
  const discounts = splitProportionally(discount, lineTotals);
  const shipping =
    subtotal === 0 || input.shippingOption === null || input.discount?.kind === "free_shipping"
      ? 0
      : shippingPriceCents(input.shippingOption, subtotal);
  const rate = input.taxRate ?? null;
  const lines = lineTotals.map((total, index) => {
    const lineDiscount = discounts[index] ?? 0;
    return { total, discount: lineDiscount, tax: rate ? percentOf(total - lineDiscount, rate.percent) : 0 };
  });
  const shippingTax = rate?.onShipping ? percentOf(shipping, rate.percent) : 0;
  const tax = lines.reduce((sum, line) => sum + line.tax, shippingTax);
  return {
    lines,
    totals: { subtotal, discount, shipping, tax, total: subtotal - discount + shipping + tax, currency },
  };
}

function discountOnGoods(discount: Discount | null, subtotal: number): number {
  if (discount === null || discount.kind === "free_shipping") return 0;
  return Math.min(
    subtotal,
    discount.kind === "percent" ? percentOf(subtotal, discount.value) : discount.value,
  );
}
