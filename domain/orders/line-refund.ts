import * as v from "valibot";
import { multiplyDivideDown, splitProportionally } from "../checkout/rounding.ts";

/** Refunded units of one line: their price after bundles and discount, and their tax. Cents. */
export const refundedLineSchema = v.object({
  productId: v.number(),
  quantity: v.number(),
  goodsCents: v.number(),
  taxCents: v.number(),
});
export type RefundedLine = v.InferOutput<typeof refundedLineSchema>;

/** Amounts of an order not refunded yet, in total and by line. Cents, goods and shipping before tax. */
export const refundableSchema = v.object({
  goods: v.number(),
  shipping: v.number(),
  tax: v.number(),
  /** By line, the `units` not refunded yet, with their price and tax. */
  lines: v.array(v.object({ productId: v.number(), units: v.number(), goods: v.number(), tax: v.number() })),
  /** Name of a tax included in prices; the requested shipping then includes its tax. */
  taxIncluded: v.exactOptional(v.string()),
});
export type Refundable = v.InferOutput<typeof refundableSchema>;

/** Units and shipping to refund. */
type RequestedLines = {
  items: readonly { productId: number; quantity: number }[];
  /** Cents; before tax, unless prices include it. */
  shipping: number;
};

/** Amount and parts of a refund in cents; `amount` is their sum. */
export type RefundSplit = {
  amount: number;
  goods: number;
  shipping: number;
  tax: number;
  lines: RefundedLine[];
};

/**
 * Splits a refund of units and shipping, with their tax. A unit's refund is its share of the rest of its line, so that the
 * last unit receives the odd cents. The refund never exceeds what is left of goods, shipping and tax, which refunds by amount
 * reduce, too; a request for all units and shipping refunds the rest to the cent. `requested` must be within `refundable` (`requestedLinesProblems`).
 */
export function refundByLines(refundable: Refundable, requested: RequestedLines): RefundSplit {
  const chosenLines = refundable.lines.flatMap((line) => {
    const quantity = requested.items.find(({ productId }) => productId === line.productId)?.quantity ?? 0;
    return quantity === 0 ? [] : [{ ...line, quantity }];
  });
  const isTaxIncluded = refundable.taxIncluded !== undefined;
  const taxParts = chosenLines.map(({ tax, quantity, units }) => multiplyDivideDown(tax, quantity, units));
  const goodsParts = chosenLines.map(({ goods, tax, quantity, units }, index) =>
    isTaxIncluded
      ? // The price paid for a unit is rounded once, not in two parts.
        multiplyDivideDown(goods + tax, quantity, units) - (taxParts[index] ?? 0)
      : multiplyDivideDown(goods, quantity, units),
  );
  const maxShipping = shippingLeft(refundable);
  const shippingTax =
    maxShipping === 0 ? 0 : multiplyDivideDown(shippingTaxLeft(refundable), requested.shipping, maxShipping);
  const shipping = isTaxIncluded ? requested.shipping - shippingTax : requested.shipping;
  const refundsEverything =
    refundable.lines.every(
      ({ productId, units }) =>
        units === (chosenLines.find((line) => line.productId === productId)?.quantity ?? 0),
    ) && requested.shipping === maxShipping;
  const goods = refundsEverything ? refundable.goods : Math.min(sum(goodsParts), refundable.goods);
  const tax = refundsEverything ? refundable.tax : Math.min(sum(taxParts) + shippingTax, refundable.tax);
  const lineGoods = splitProportionally(Math.min(goods, sum(goodsParts)), goodsParts);
  const lineTaxes = splitProportionally(Math.min(tax, sum(taxParts)), taxParts);
  return {
    amount: goods + shipping + tax,
    goods,
    shipping,
    tax,
    lines: chosenLines.map(({ productId, quantity }, index) => ({
      productId,
      quantity,
      goodsCents: lineGoods[index] ?? 0,
      taxCents: lineTaxes[index] ?? 0,
    })),
  };
}

/** Maximum shipping to request, including its tax if prices include it. */
export function shippingLeft(refundable: Refundable): number {
  return refundable.shipping + (refundable.taxIncluded === undefined ? 0 : shippingTaxLeft(refundable));
}

function shippingTaxLeft({ tax, lines }: Refundable): number {
  return Math.max(0, tax - sum(lines.map((line) => line.tax)));
}

/**
 * Splits a refund by amount over goods, shipping and tax in proportion to what is left, so that refunds of the whole order
 * add up to its goods, shipping and tax. An excess counts as goods.
 */
export function refundByAmount(
  { goods, shipping, tax }: Omit<Refundable, "lines">,
  amount: number,
): RefundSplit {
  const leftCents = goods + shipping + tax;
  const [, shippingPart = 0, taxPart = 0] =
    amount < leftCents ? splitProportionally(amount, [goods, shipping, tax]) : [goods, shipping, tax];
  return { amount, goods: amount - shippingPart - taxPart, shipping: shippingPart, tax: taxPart, lines: [] };
}

/** Splits a refund in two: `cents` of it with the units it names, and the rest. `cents` is at most its amount. */
export function divideRefund(split: RefundSplit, cents: number): [first: RefundSplit, rest: RefundSplit] {
  const [goods = 0, shipping = 0, tax = 0] = splitProportionally(cents, [
    split.goods,
    split.shipping,
    split.tax,
  ]);
  return [
    { amount: cents, goods, shipping, tax, lines: split.lines },
    {
      amount: split.amount - cents,
      goods: split.goods - goods,
      shipping: split.shipping - shipping,
      tax: split.tax - tax,
      lines: [],
    },
  ];
}

/** Path of a field -> problem; empty if the request can be fulfilled. */
export function requestedLinesProblems(
  refundable: Refundable,
  requested: RequestedLines,
): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const [index, { productId, quantity }] of requested.items.entries()) {
    const unitsLeft = refundable.lines.find((line) => line.productId === productId)?.units ?? 0;
    if (quantity > unitsLeft) {
      problems[`items.${index}.quantity`] =
        unitsLeft === 0
          ? "Nothing of this product is left to refund"
          : `At most ${unitsLeft} ${unitsLeft === 1 ? "unit" : "units"} can be refunded`;
    }
  }
  if (requested.shipping > shippingLeft(refundable))
    problems.shipping = "That is more than is left of the shipping";
  return problems;
}

function sum(parts: readonly number[]): number {
  return parts.reduce((total, part) => total + part, 0);
}
