import { countryInSentence } from "../shared/country.ts";
import type { TaxPolicy, TaxRate } from "./tax.ts";
import { type LineTotals, type Totals, taxOn } from "./totals.ts";

// Used by server and panel: shoppers' browsers receive rates already marked as included.

/** Country -> name of its tax, if it is not VAT. */
const names: Record<string, string> = {
  AU: "GST",
  CA: "tax",
  IN: "GST",
  JP: "consumption tax",
  NZ: "GST",
  SG: "GST",
  US: "tax",
};

/** Marks the rates of these countries as included in prices. */
export function withIncludedTax(policy: TaxPolicy, countries: readonly string[]): TaxPolicy {
  if (countries.length === 0) return policy;
  return {
    ...policy,
    rates: policy.rates.map((rate) =>
      countries.includes(rate.country) ? { ...rate, included: names[rate.country] ?? "VAT" } : rate,
    ),
  };
}

const capitalize = (words: string) => words.replace(/^./, (first) => first.toUpperCase());

/** "VAT on orders to Germany and France is in our prices already."; null if it is included nowhere. */
export function includedTaxSentence({ mode, rates }: TaxPolicy): string | null {
  if (mode === "none") return null;
  const includedRates = rates.flatMap(({ country, included }) => (included ? [{ country, included }] : []));
  const sentences = [...Map.groupBy(includedRates, (rate) => rate.included)].map(([name, rates]) => {
    const places = new Set(rates.map(({ country }) => countryInSentence(country)));
    return `${capitalize(name)} on orders to ${new Intl.ListFormat("en").format(places)} is in our prices already.`;
  });
  return sentences.length === 0 ? null : sentences.join(" ");
}

/** Amounts as shown to the shopper with tax included, and the tax's name. Cents. */
export type AmountsWithTax = { name: string; subtotal: number; discount: number; shipping: number };

/** Stored amounts of an order, in cents. */
export type OrderAmounts = {
  subtotalCents: number;
  discountCents: number;
  shippingCents: number;
  taxCents: number;
  totalCents: number;
  withTax: AmountsWithTax | null;
};

/**
 * The amounts to store. They are always before tax, so that `total = subtotal - discount + shipping + tax` holds and sums over
 * orders need one formula; if prices include the tax, the amounts shown are stored beside them.
 */
export function orderAmounts(
  { lines, totals }: { lines: readonly LineTotals[]; totals: Totals },
  rate: TaxRate | null,
): OrderAmounts {
  const { subtotal, discount, shipping, tax, total, taxIncluded } = totals;
  const amounts = {
    subtotalCents: subtotal,
    discountCents: discount,
    shippingCents: shipping,
    taxCents: tax,
    totalCents: total,
    withTax: null,
  };
  if (!taxIncluded) return amounts;
  const beforeDiscount = lines.reduce((cents, line) => cents + line.total - taxOn(line.total, rate), 0);
  const shippingCents = shipping - taxIncluded.inShipping;
  return {
    ...amounts,
    subtotalCents: beforeDiscount,
    // The difference between the goods before discount and what is paid for them, both without tax.
    discountCents: beforeDiscount + shippingCents + tax - total,
    shippingCents,
    withTax: { name: taxIncluded.name, subtotal, discount, shipping },
  };
}

/** Converts stored amounts into the totals shown to the shopper. */
export function shownTotals(order: OrderAmounts & { currency: string }): Totals {
  const { withTax, taxCents: tax, totalCents: total, currency } = order;
  if (!withTax) {
    const { subtotalCents: subtotal, discountCents: discount, shippingCents: shipping } = order;
    return { subtotal, discount, shipping, tax, total, currency };
  }
  const { name, subtotal, discount, shipping } = withTax;
  const taxIncluded = { name, inShipping: shipping - order.shippingCents };
  return { subtotal, discount, shipping, tax, total, currency, taxIncluded };
}
