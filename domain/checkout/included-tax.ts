import { countryInSentence } from "../shared/country.ts";
import type { TaxPolicy, TaxRate } from "./tax.ts";
import { type LineTotals, type Totals, taxOn } from "./totals.ts";

// For the server and the panel: a shopper's browser is given rates that say by themselves whether prices include them.

/** What people call the tax there, where it is not VAT. */
const names: Record<string, string> = {
  AU: "GST",
  CA: "tax",
  IN: "GST",
  JP: "consumption tax",
  NZ: "GST",
  SG: "GST",
  US: "tax",
};

/** The policy with the rates of these countries marked: prices include them. */
export function withIncludedTax(policy: TaxPolicy, countries: readonly string[]): TaxPolicy {
  if (countries.length === 0) return policy;
  return {
    ...policy,
    rates: policy.rates.map((rate) =>
      countries.includes(rate.country) ? { ...rate, included: names[rate.country] ?? "VAT" } : rate,
    ),
  };
}

const capitalized = (words: string) => words.replace(/^./, (first) => first.toUpperCase());

/** "VAT on orders to Germany and France is in our prices already."; null where they do nowhere. */
export function includedTaxSentence({ mode, rates }: TaxPolicy): string | null {
  if (mode === "none") return null;
  const included = rates.flatMap(({ country, included }) => (included ? [{ country, included }] : []));
  const sentences = [...Map.groupBy(included, (rate) => rate.included)].map(([name, of]) => {
    const places = new Set(of.map(({ country }) => countryInSentence(country)));
    return `${capitalized(name)} on orders to ${new Intl.ListFormat("en").format(places)} is in our prices already.`;
  });
  return sentences.length === 0 ? null : sentences.join(" ");
}

/** Subtotal, discount and shipping as a shopper saw them, with the tax in them, and what that is called. Cents. */
export type AmountsWithTax = { name: string; subtotal: number; discount: number; shipping: number };

/** An order's amounts as they are written down, cents. */
export type OrderAmounts = {
  subtotalCents: number;
  discountCents: number;
  shippingCents: number;
  taxCents: number;
  totalCents: number;
  withTax: AmountsWithTax | null;
};

/**
 * The amounts to write down. They are before tax wherever the order goes, so that `total = subtotal - discount + shipping + tax`
 * and whatever adds up orders needs to know one form; where prices include the tax, what was shown is kept beside them.
 */
export function orderAmounts(
  { lines, totals }: { lines: readonly LineTotals[]; totals: Totals },
  rate: TaxRate | null,
): OrderAmounts {
  const { subtotal, discount, shipping, tax, total, taxIncluded } = totals;
  const amounts = {
    ...{ subtotalCents: subtotal, discountCents: discount, shippingCents: shipping, taxCents: tax },
    ...{ totalCents: total, withTax: null },
  };
  if (!taxIncluded) return amounts;
  const beforeDiscount = lines.reduce((cents, line) => cents + line.total - taxOn(line.total, rate), 0);
  const shippingCents = shipping - taxIncluded.inShipping;
  return {
    ...amounts,
    subtotalCents: beforeDiscount,
    // What is missing between the goods and what is left of them without their tax.
    discountCents: beforeDiscount + shippingCents + tax - total,
    shippingCents,
    withTax: { name: taxIncluded.name, subtotal, discount, shipping },
  };
}

/** The other way round: what was written down, as a shopper sees it. */
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
