import * as v from "valibot";

/** Groupings of orders: by the site the buyer came from, by the medium or campaign of the link, or by the discount code. */
export const sourceGroups = ["source", "medium", "campaign", "code"] as const;
export type SourceGroup = (typeof sourceGroups)[number];

/** The two tables of the page, as files. */
export const sourceTables = ["sources", "months"] as const;

const sums = {
  /** The next three are those of the overview: orders paid in the period, their goods after discounts, and the net amount. */
  orders: v.number(),
  salesCents: v.number(),
  netCents: v.number(),
  firstOrders: v.number(),
  /** Number of buyers of these first orders who have ordered again to date. */
  boughtAgain: v.number(),
};
const sourceSumsSchema = v.object(sums);
export type SourceSums = v.InferOutput<typeof sourceSumsSchema>;

/** `name` null if none is known. */
const sourceRowSchema = v.object({ name: v.nullable(v.string()), ...sums });
export type SourceRow = v.InferOutput<typeof sourceRowSchema>;

/** Customers by the month of their first order. `valueCents`: what they paid to date, less refunds and chargebacks. */
const customerMonthSchema = v.object({
  /** `YYYY-MM` in the shop's time zone. */
  month: v.string(),
  customers: v.number(),
  orders: v.number(),
  boughtAgain: v.number(),
  valueCents: v.number(),
});
export type CustomerMonth = v.InferOutput<typeof customerMonthSchema>;

/** Where buyers come from. Amounts in cents; dates in the shop's time zone. */
export const sourcesSchema = v.object({
  from: v.string(),
  to: v.string(),
  today: v.string(),
  by: v.picklist(sourceGroups),
  /** The groups with the highest sales. */
  rows: v.array(sourceRowSchema),
  /** All other groups; null if there are none. */
  others: v.nullable(v.object({ groups: v.number(), ...sums })),
  totals: sourceSumsSchema,
  /** Newest first; the last three years. */
  months: v.array(customerMonthSchema),
});
export type Sources = v.InferOutput<typeof sourcesSchema>;

/** Share of new buyers who have ordered again, in percent; null without new buyers. */
export function repeatPercent(boughtAgain: number, buyers: number): number | null {
  return buyers === 0 ? null : Math.round((boughtAgain / buyers) * 100);
}
