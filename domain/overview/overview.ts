import * as v from "valibot";
import { issueSchema } from "../admin/admin.ts";
import { adminOrderRowSchema } from "../orders/admin-orders.ts";
import { donationSchema, donationTotalsSchema } from "../sales/donation.ts";
import { addDays, inclusiveDays, isDate } from "../shared/zoned-days.ts";

/** Length of the period that one bar of the chart stands for. */
export const grains = ["day", "week", "month"] as const;
export type Grain = (typeof grains)[number];

/** Dates `YYYY-MM-DD` in the shop's time zone, both included. */
const periodSchema = v.object({ from: v.string(), to: v.string() });
export type Period = v.InferOutput<typeof periodSchema>;

/** Sums of a period. Amounts in cents. */
export const salesFiguresSchema = v.object({
  /** Goods of the orders paid in the period, after bundles and before discounts. */
  grossCents: v.number(),
  discountCents: v.number(),
  /** Goods of the orders paid in the period, after discounts, without shipping and tax; refunds are separate. */
  salesCents: v.number(),
  orders: v.number(),
  /** Average of `salesCents` per order; null without orders. */
  averageCents: v.nullable(v.number()),
  shippingCents: v.number(),
  taxCents: v.number(),
  /** gross - discounts + shipping + tax. */
  receivedCents: v.number(),
  /** Refunds that succeeded in the period, whenever their orders were paid. */
  refunds: v.number(),
  refundedCents: v.number(),
  /** Split of the refunds into goods, shipping and tax. */
  refundedGoodsCents: v.number(),
  refundedShippingCents: v.number(),
  refundedTaxCents: v.number(),
  /** Disputes lost in the period, and the amounts that banks withdrew. */
  chargebacks: v.number(),
  chargedBackCents: v.number(),
  /** The provider's fees in the period for disputes, won or lost. */
  disputeFeeCents: v.number(),
  /** Received - refunds - chargebacks, without the provider's fees. */
  netCents: v.number(),
  /** The part of the period's orders to donate, after refunds to date. */
  donatedCents: v.number(),
  /**
   * Visitors of pages on which a purchase can begin (each counted once an hour; at least the number of orders placed), orders
   * placed, and how many of these are paid.
   */
  conversion: v.object({ productViews: v.number(), checkouts: v.number(), paid: v.number() }),
});
export type SalesFigures = v.InferOutput<typeof salesFiguresSchema>;

const salesSlotSchema = v.object({
  ...periodSchema.entries,
  salesCents: v.number(),
  orders: v.number(),
  refundedCents: v.number(),
  chargedBackCents: v.number(),
});
export type SalesSlot = v.InferOutput<typeof salesSlotSchema>;

const change = v.nullable(v.number());

/** The panel's start page. */
export const overviewSchema = v.object({
  ...periodSchema.entries,
  timeZone: v.string(),
  /** Today's date in the shop's time zone. */
  today: v.string(),
  by: v.picklist(grains),
  figures: salesFiguresSchema,
  /**
   * The period of equal length right before. `soldFrom`: the day of the first sale; if it is later than `from`, the comparison is
   * incomplete.
   */
  before: v.object({
    ...periodSchema.entries,
    figures: salesFiguresSchema,
    soldFrom: v.nullable(v.string()),
  }),
  /** Changes in percent of the previous period, to one decimal; null if its figure was zero. */
  changes: v.object({ sales: change, orders: change, average: change, refunded: change, net: change }),
  series: v.array(salesSlotSchema),
  /** `proceedsCents`: the base of the share. `since`: ISO 8601 UTC; null if nothing was set aside. */
  donated: v.object({
    ...donationTotalsSchema.entries,
    totalCents: v.number(),
    proceedsCents: v.number(),
    periodCents: v.number(),
    percent: v.number(),
    since: v.nullable(v.string()),
    latest: v.array(donationSchema),
  }),
  /** Products at or below the owner's limit, fewest units first. */
  lowStock: v.array(v.object({ productId: v.number(), name: v.string(), free: v.number() })),
  attention: v.array(issueSchema),
  /** The newest five orders; `count` stops at 100. */
  waitingToShip: v.object({ count: v.number(), orders: v.array(adminOrderRowSchema) }),
  latestMessage: v.nullable(
    v.object({
      id: v.string(),
      name: v.string(),
      about: v.string(),
      createdAt: v.string(),
      text: v.string(),
    }),
  ),
  /** The most frequent sources of the period's orders, at most three; empty if none is known. */
  topSources: v.array(v.object({ name: v.string(), orders: v.number() })),
  rating: v.object({ average: v.nullable(v.number()), count: v.number() }),
  /** Whether any order was ever paid. */
  hasSold: v.boolean(),
});
export type Overview = v.InferOutput<typeof overviewSchema>;

/** Named periods; the second is the default. */
export const periodNames = ["7d", "30d", "12m"] as const;
export type PeriodName = (typeof periodNames)[number];
const maxPeriodDays = 3 * 366;

/** A named period that ends today: the last 7 or 30 days, or this month and the eleven before. */
export function namedPeriod(name: PeriodName, today: string): Period {
  if (name === "7d") return { from: addDays(today, -6), to: today };
  if (name === "30d") return { from: addDays(today, -29), to: today };
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))];
  return { from: new Date(Date.UTC(year, month - 12, 1)).toISOString().slice(0, 10), to: today };
}

/** Why the period is not valid; null if it is. */
export function periodProblem({ from, to }: Period): string | null {
  if (!isDate(from) || !isDate(to)) return "Enter both days.";
  if (from > to) return "The first day comes after the last.";
  return inclusiveDays(from, to) > maxPeriodDays ? "At most three years at once." : null;
}

/** The grain that suits a period: days for up to six weeks, weeks for up to half a year, otherwise months. */
export function periodGrain(period: Period): Grain {
  const days = inclusiveDays(period.from, period.to);
  return days <= 45 ? "day" : days <= 190 ? "week" : "month";
}

/** The period of equal length right before. */
export function periodBefore({ from, to }: Period): Period {
  return { from: addDays(from, -inclusiveDays(from, to)), to: addDays(from, -1) };
}

/** Splits the period into days, weeks from Monday, or months; the first and the last may be shorter. */
export function periodSlots({ from, to }: Period, by: Grain): Period[] {
  const slots: Period[] = [];
  for (let start = from; start <= to; ) {
    const end = slotEnd(start, by);
    slots.push({ from: start, to: end < to ? end : to });
    start = addDays(end, 1);
  }
  return slots;
}

function slotEnd(date: string, by: Grain): string {
  if (by === "day") return date;
  const at = new Date(`${date}T00:00:00Z`);
  if (by === "week") return addDays(date, (7 - at.getUTCDay()) % 7);
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).toISOString().slice(0, 10);
}

/** `(150, 100)` -> 50; null if the earlier value is zero or missing. */
export function changePercent(now: number | null, before: number | null): number | null {
  if (now === null || before === null || before === 0) return null;
  return Math.round(((now - before) / before) * 1000) / 10;
}
