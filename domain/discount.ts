export const discountKinds = ["percent", "amount", "free_shipping"] as const;
export type DiscountKind = (typeof discountKinds)[number];

/** What a discount takes off; codes, dates and limits are checked before it gets here. */
export type Discount = {
  code: string;
  kind: DiscountKind;
  /** Percent (0 to 100) or cents; unused for free shipping. */
  value: number;
};
