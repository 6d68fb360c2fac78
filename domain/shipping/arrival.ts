import { dispatchDays } from "../settings/facts.ts";
import { addDays, dateIn } from "../shared/zoned-days.ts";
import type { ShippingOption, ShippingPolicy } from "./shipping-policy.ts";

/**
 * The shop's working days. `cutOff`: "14:00" in its time zone; later orders count from the next working day. `workingDays`: 1 is
 * Monday, 7 Sunday. `holidays`: dates without packing and delivery.
 */
export type ShopCalendar = { cutOff: string; workingDays: number[]; holidays: string[] };

/** First and last expected date (`YYYY-MM-DD`) of delivery. */
export type Arrival = { earliest: string; latest: string };

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The working day from which the delivery of an order placed now is counted. */
export function orderDay(calendar: ShopCalendar, timeZone: string, now: Date): string {
  let clock = clocks.get(timeZone);
  if (!clock) {
    clock = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
    clocks.set(timeZone, clock);
  }
  const today = dateIn(timeZone, now);
  const isTooLate = clock.format(now) >= calendar.cutOff;
  return nextDay(isTooLate ? addDays(today, 1) : today, isPackingDay(calendar));
}

/** The last day (`YYYY-MM-DD`) on which the order ships as promised. */
export function dispatchBy(calendar: ShopCalendar, timeZone: string, orderedAt: Date): string {
  return daysLater(orderDay(calendar, timeZone, orderedAt), dispatchDays[1], isPackingDay(calendar));
}

/**
 * Delivery of an order, counted from `day` (see `orderDay`): packing days, then the option's days. Carriers deliver from
 * Monday to Friday, independent of the shop's working days.
 */
export function estimateArrival(
  { days: [least, most] }: Pick<ShippingOption, "days">,
  calendar: ShopCalendar,
  day: string,
): Arrival {
  const afterPacking = (days: number) => daysLater(day, days, isPackingDay(calendar));
  const afterTransport = (from: string, days: number) => daysLater(from, days, isDeliveryDay(calendar));
  return {
    earliest: afterTransport(afterPacking(dispatchDays[0]), least),
    latest: afterTransport(afterPacking(dispatchDays[1]), most),
  };
}

/** Option -> expected delivery of an order on that day. */
export function estimateArrivals(
  { zones }: ShippingPolicy,
  calendar: ShopCalendar,
  day: string,
): Record<string, Arrival> {
  return Object.fromEntries(
    zones.flatMap(({ options }) =>
      options.map((option) => [option.id, estimateArrival(option, calendar, day)]),
    ),
  );
}

/** Option -> "Arrives Nov 27 – Dec 2". */
export function arrivalTexts(
  policy: ShippingPolicy,
  calendar: ShopCalendar,
  day: string,
): Record<string, string> {
  const arrivals = Object.entries(estimateArrivals(policy, calendar, day));
  return Object.fromEntries(arrivals.map(([id, arrival]) => [id, arrivalText(arrival)]));
}

/** "Arrives Nov 27 – Dec 2", "Arrives Dec 2 – 8", "Arrives Dec 2" */
export function arrivalText(arrival: Arrival): string {
  return `Arrives ${arrivalDates(arrival)}`;
}

/** "Nov 27 – Dec 2", "Dec 2 – 8", "Dec 2" */
export function arrivalDates({ earliest, latest }: Arrival): string {
  const [from, to] = [monthAndDay(earliest), monthAndDay(latest)];
  if (from === to) return from;
  const isSameMonth = earliest.slice(0, 7) === latest.slice(0, 7);
  return `${from} – ${isSameMonth ? to.split(" ")[1] : to}`;
}

/**
 * The promised arrival as a text, "Arrives Nov 27 – Dec 2". Null without a promise, or if `day` (the date of shipment, or
 * today before it) is not before the promised dates.
 */
export function promisedArrival(arrival: Arrival | null, day: string): string | null {
  return arrival !== null && day < arrival.earliest ? arrivalText(arrival) : null;
}

const monthAndDayFormat = new Intl.DateTimeFormat("en-US", {
  timeZone: "UTC",
  month: "short",
  day: "numeric",
});

/** "Nov 27" */
function monthAndDay(date: string): string {
  return monthAndDayFormat.format(new Date(`${date}T00:00:00Z`));
}

function isPackingDay({ workingDays, holidays }: ShopCalendar) {
  return (date: string) => workingDays.includes(weekday(date)) && !holidays.includes(date);
}

function isDeliveryDay({ holidays }: ShopCalendar) {
  return (date: string) => weekday(date) <= 5 && !holidays.includes(date);
}

/** 1 is Monday, 7 Sunday. */
function weekday(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
}

/** The date itself, or the first later one that counts. */
function nextDay(date: string, counts: (date: string) => boolean): string {
  let day = date;
  while (!counts(day)) day = addDays(day, 1);
  return day;
}

function daysLater(date: string, count: number, counts: (date: string) => boolean): string {
  let day = nextDay(date, counts);
  for (let passed = 0; passed < count; passed += 1) day = nextDay(addDays(day, 1), counts);
  return day;
}
