/** What a discount takes off; codes, dates and limits are checked before it gets here. */
export type Discount = {
  code: string;
  kind: "percent" | "amount" | "free_shipping";
  /** Percent (0 to 100) or cents; unused for free shipping. */
  value: number;
};
