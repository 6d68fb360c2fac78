import * as v from "valibot";
import { multiplyDivideDown, splitProportionally } from "../checkout/rounding.ts";

/** Units of one line that a refund pays back: what was paid for them after bundles and discount, and their tax. Cents. */
export const refundedLineSchema = v.object({
  productId: v.number(),
  quantity: v.number(),
  goodsCents: v.number(),
  taxCents: v.number(),
});
export type RefundedLine = v.InferOutput<typeof refundedLineSchema>;

/** What of an order has not been refunded by now: in sum, and unit by unit for refunds by line. Cents, goods and shipping before tax. */
export const refundableSchema = v.object({
  goods: v.number(),
  shipping: v.number(),
  tax: v.number(),
  /** `units` not refunded by line so far, and what was paid for them. */
  lines: v.array(v.object({ productId: v.number(), units: v.number(), goods: v.number(), tax: v.number() })),
  /** What the tax is called that its prices include: then a wish for shipping means shipping with its tax. */
  taxIncluded: v.exactOptional(v.string()),
});
export type Refundable = v.InferOutput<typeof refundableSchema>;

/** What is to be paid back by line: units, and how much of the shipping. */
export type LineWish = {
  items: readonly { productId: number; quantity: number }[];
  /** Cents; before tax, unless its prices include it. */
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
 * What units and shipping come to, with their tax: each unit its share of what its line has left, so that the last one
 * brings the odd cents. Never more than is left of goods, shipping and tax, where something was given back without naming
 * units; whoever chooses all that is left gets all of it, to the cent. `wish` must be within `refundable`
 * (`lineWishProblems`).
 */
export function refundByLines(refundable: Refundable, wish: LineWish): RefundSplit {
  const chosen = refundable.lines.flatMap((line) => {
    const quantity = wish.items.find(({ productId }) => productId === line.productId)?.quantity ?? 0;
    return quantity === 0 ? [] : [{ ...line, quantity }];
  });
  const isTaxIncluded = refundable.taxIncluded !== undefined;
  const taxParts = chosen.map(({ tax, quantity, units }) => multiplyDivideDown(tax, quantity, units));
  const goodsParts = chosen.map(({ goods, tax, quantity, units }, index) =>
    isTaxIncluded
      ? // What was paid for a unit comes back whole, not two rounded parts of it.
        multiplyDivideDown(goods + tax, quantity, units) - (taxParts[index] ?? 0)
      : multiplyDivideDown(goods, quantity, units),
  );
  const shippingMax = shippingLeft(refundable);
  const shippingTax =
    shippingMax === 0 ? 0 : multiplyDivideDown(shippingTaxLeft(refundable), wish.shipping, shippingMax);
  const shipping = isTaxIncluded ? wish.shipping - shippingTax : wish.shipping;
  const isAll =
    refundable.lines.every(
      ({ productId, units }) =>
        units === (chosen.find((line) => line.productId === productId)?.quantity ?? 0),
    ) && wish.shipping === shippingMax;
  const goods = isAll ? refundable.goods : Math.min(sum(goodsParts), refundable.goods);
  const tax = isAll ? refundable.tax : Math.min(sum(taxParts) + shippingTax, refundable.tax);
  const goodsOfLines = splitProportionally(Math.min(goods, sum(goodsParts)), goodsParts);
  const taxOfLines = splitProportionally(Math.min(tax, sum(taxParts)), taxParts);
  return {
    amount: goods + shipping + tax,
    goods,
    shipping,
    tax,
    lines: chosen.map(({ productId, quantity }, index) => ({
      productId,
      quantity,
      goodsCents: goodsOfLines[index] ?? 0,
      taxCents: taxOfLines[index] ?? 0,
    })),
  };
}

/** How much of the shipping can be wished for: with its tax where prices include it. */
export function shippingLeft(refundable: Refundable): number {
  return refundable.shipping + (refundable.taxIncluded === undefined ? 0 : shippingTaxLeft(refundable));
}

function shippingTaxLeft({ tax, lines }: Refundable): number {
  return Math.max(0, tax - sum(lines.map((line) => line.tax)));
}

/**
 * What an amount gives back where nobody has said of what: something of all that is left, in proportion, so that refunds which come to
 * the whole order also come to its goods, its shipping and its tax. What is more than that is said to be of the goods.
 */
export function refundByAmount(
  { goods, shipping, tax }: Omit<Refundable, "lines">,
  amount: number,
): RefundSplit {
  const left = goods + shipping + tax;
  const [, ofShipping = 0, ofTax = 0] =
    amount < left ? splitProportionally(amount, [goods, shipping, tax]) : [goods, shipping, tax];
  return { amount, goods: amount - ofShipping - ofTax, shipping: ofShipping, tax: ofTax, lines: [] };
}

/** The same refund in two: `cents` of it, with the units it names, and the rest. `cents` is at most its amount. */
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

/** Sentences by the path of their field; none: the wish can be met. */
export function lineWishProblems(refundable: Refundable, wish: LineWish): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const [index, { productId, quantity }] of wish.items.entries()) {
    const left = refundable.lines.find((line) => line.productId === productId)?.units ?? 0;
    if (quantity > left) {
      problems[`items.${index}.quantity`] =
        left === 0
          ? "Nothing of this product is left to refund"
          : `At most ${left} ${left === 1 ? "unit" : "units"} can be refunded`;
    }
  }
  if (wish.shipping > shippingLeft(refundable))
    problems.shipping = "That is more than is left of the shipping";
  return problems;
}

function sum(parts: readonly number[]): number {
  return parts.reduce((total, part) => total + part, 0);
}
