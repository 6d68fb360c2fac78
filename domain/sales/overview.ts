import * as v from "valibot";
import { issueSchema } from "../admin/admin.ts";
import { adminOrderRowSchema } from "../orders/admin-orders.ts";
import { addDays, daysFromTo, isDate } from "../shared/zoned-days.ts";
import { donationSchema, sendingSchema } from "./donation.ts";

/** What the bars of the chart stand for. */
export const grains = ["day", "week", "month"] as const;
export type Grain = (typeof grains)[number];

/** Dates `YYYY-MM-DD` in the owner's time zone, both ends within it. */
const periodSchema = v.object({ from: v.string(), to: v.string() });
export type Period = v.InferOutput<typeof periodSchema>;

/** What a period came to. Amounts in cents. */
export const salesFiguresSchema = v.object({
  /** Goods of the orders paid in it, with bundles and before discounts. */
  grossCents: v.number(),
  discountCents: v.number(),
  /** Goods of the orders paid in it, after discounts, without shipping and tax; refunds are told apart. */
  salesCents: v.number(),
  orders: v.number(),
  /** Of `salesCents`, an order's share; null without orders. */
  averageCents: v.nullable(v.number()),
  shippingCents: v.number(),
  taxCents: v.number(),
  /** What its orders came to: gross - discounts + shipping + tax. */
  receivedCents: v.number(),
  /** Refunds that went through in it, whenever their orders were paid. */
  refunds: v.number(),
  refundedCents: v.number(),
  /** Of that: goods, shipping and tax. */
  refundedGoodsCents: v.number(),
  refundedShippingCents: v.number(),
  refundedTaxCents: v.number(),
  /** Disputes that were lost in it, and what they took for good. */
  chargebacks: v.number(),
  chargedBackCents: v.number(),
  /** What the provider took in it for disputes, won or lost. */
  disputeFeeCents: v.number(),
  /** Received - refunds - chargebacks; the provider's fees are not in it. */
  netCents: v.number(),
  /** What of its orders is given away, as their refunds stand. */
  donatedCents: v.number(),
  /**
   * Visitors of the pages on which a purchase can begin (each once an hour, at least as many as orders placed), orders
   * placed, and how many of these were paid by now.
   */
  conversion: v.object({ productViews: v.number(), checkouts: v.number(), paid: v.number() }),
});
export type SalesFigures = v.InferOutput<typeof salesFiguresSchema>;

/** One bar. */
const salesSlotSchema = v.object({
  ...periodSchema.entries,
  salesCents: v.number(),
  orders: v.number(),
  refundedCents: v.number(),
  chargedBackCents: v.number(),
});
export type SalesSlot = v.InferOutput<typeof salesSlotSchema>;

const change = v.nullable(v.number());

/** What the owner sees first. */
export const overviewSchema = v.object({
  ...periodSchema.entries,
  timeZone: v.string(),
  /** The date there, now. */
  today: v.string(),
  by: v.picklist(grains),
  figures: salesFiguresSchema,
  /**
   * As many days right before. `soldFrom`: the day of the first sale ever; where it is later than `from`, these days say
   * less than they seem to.
   */
  before: v.object({
    ...periodSchema.entries,
    figures: salesFiguresSchema,
    soldFrom: v.nullable(v.string()),
  }),
  /** Against the period before, in percent of it to one decimal; null where there was nothing before. */
  changes: v.object({ sales: change, orders: change, average: change, refunded: change, net: change }),
  series: v.array(salesSlotSchema),
  /** `proceedsCents`: what the total is a share of. `since`: ISO 8601 UTC; null before anything was given. */
  donated: v.object({
    ...sendingSchema.entries,
    totalCents: v.number(),
    proceedsCents: v.number(),
    periodCents: v.number(),
    percent: v.number(),
    since: v.nullable(v.string()),
    /** The newest that were sent. */
    latest: v.array(donationSchema),
  }),
  /** At or under the owner's limit, least first. */
  lowStock: v.array(v.object({ productId: v.number(), name: v.string(), free: v.number() })),
  attention: v.array(issueSchema),
  /** The newest five; `count` stops at 100. */
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
  rating: v.object({ average: v.nullable(v.number()), count: v.number() }),
  /** Whether an order was ever paid. */
  hasSold: v.boolean(),
});
export type Overview = v.InferOutput<typeof overviewSchema>;

/** Periods that have a name; the second holds where none was asked for. */
export const periodNames = ["7d", "30d", "12m"] as const;
export type PeriodName = (typeof periodNames)[number];
const periodDaysMax = 3 * 366;

/** A named period that ends today: the last 7 or 30 days, or this month and the eleven before. */
export function namedPeriod(name: PeriodName, today: string): Period {
  if (name === "7d") return { from: addDays(today, -6), to: today };
  if (name === "30d") return { from: addDays(today, -29), to: today };
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))];
  return { from: new Date(Date.UTC(year, month - 12, 1)).toISOString().slice(0, 10), to: today };
}

/** Why there is no such period, in a sentence; null where there is. */
export function periodProblem({ from, to }: Period): string | null {
  if (!isDate(from) || !isDate(to)) return "Enter both days.";
  if (from > to) return "The first day comes after the last.";
  return daysFromTo(from, to) > periodDaysMax ? "At most three years at once." : null;
}

/** Bars that can be told apart: days of up to six weeks, weeks of up to half a year, else months. */
export function grainOf(period: Period): Grain {
  const days = daysFromTo(period.from, period.to);
  return days <= 45 ? "day" : days <= 190 ? "week" : "month";
}

/** As many days, right before. */
export function periodBefore({ from, to }: Period): Period {
  return { from: addDays(from, -daysFromTo(from, to)), to: addDays(from, -1) };
}

/** The period in days, in weeks from Monday, or in months; the first and the last may be cut short by it. */
export function slotsOf({ from, to }: Period, by: Grain): Period[] {
  const slots: Period[] = [];
  for (let start = from; start <= to; ) {
    const end = lastDayOf(start, by);
    slots.push({ from: start, to: end < to ? end : to });
    start = addDays(end, 1);
  }
  return slots;
}

function lastDayOf(date: string, by: Grain): string {
  if (by === "day") return date;
  const at = new Date(`${date}T00:00:00Z`);
  if (by === "week") return addDays(date, (7 - at.getUTCDay()) % 7);
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).toISOString().slice(0, 10);
}

/** `(150, 100)` -> 50; null where there was nothing before. */
export function changePercent(now: number | null, before: number | null): number | null {
  if (now === null || before === null || before === 0) return null;
  return Math.round(((now - before) / before) * 1000) / 10;
}
