import { dispatchDays } from "../settings/facts.ts";
import { addDays, dateIn } from "../shared/zoned-days.ts";
import type { ShippingOption, ShippingPolicy } from "./shipping-policy.ts";

/**
 * When the shop packs. `cutOff`: "14:00" in its time zone; what is ordered later counts from the next working day.
 * `workingDays`: 1 is Monday, 7 Sunday. `holidays`: dates on which nothing is packed nor delivered.
 */
export type ShopCalendar = { cutOff: string; workingDays: number[]; holidays: string[] };

/** First and last date (`YYYY-MM-DD`) on which a parcel may come. */
export type Arrival = { earliest: string; latest: string };

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The working day that an order of this moment counts from, where the shop is. */
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

/** The last day (`YYYY-MM-DD`) on which what was ordered then leaves as promised. */
export function dispatchBy(calendar: ShopCalendar, timeZone: string, orderedAt: Date): string {
  return daysLater(orderDay(calendar, timeZone, orderedAt), dispatchDays[1], isPackingDay(calendar));
}

/**
 * When a parcel comes that was ordered on a day of `orderDay`: after the days that packing takes and those of the option.
 * Carriers deliver from Monday to Friday, whenever the shop packs.
 */
export function arrivalOf(
  { days: [least, most] }: Pick<ShippingOption, "days">,
  calendar: ShopCalendar,
  day: string,
): Arrival {
  const packed = (days: number) => daysLater(day, days, isPackingDay(calendar));
  const delivered = (from: string, days: number) => daysLater(from, days, isDeliveryDay(calendar));
  return {
    earliest: delivered(packed(dispatchDays[0]), least),
    latest: delivered(packed(dispatchDays[1]), most),
  };
}

/** Option -> when what is ordered on that day comes, for every option of the policy. */
export function arrivalsOf(
  { zones }: ShippingPolicy,
  calendar: ShopCalendar,
  day: string,
): Record<string, Arrival> {
  return Object.fromEntries(
    zones.flatMap(({ options }) => options.map((option) => [option.id, arrivalOf(option, calendar, day)])),
  );
}

/** Option -> "Arrives Nov 27 - Dec 2", for every option of the policy. */
export function arrivalTexts(
  policy: ShippingPolicy,
  calendar: ShopCalendar,
  day: string,
): Record<string, string> {
  const arrivals = Object.entries(arrivalsOf(policy, calendar, day));
  return Object.fromEntries(arrivals.map(([id, arrival]) => [id, arrivalText(arrival)]));
}

/** "Arrives Nov 27 - Dec 2", "Arrives Dec 2 - 8", "Arrives Dec 2" */
export function arrivalText({ earliest, latest }: Arrival): string {
  const [from, to] = [monthAndDay(earliest), monthAndDay(latest)];
  if (from === to) return `Arrives ${from}`;
  const isSameMonth = earliest.slice(0, 7) === latest.slice(0, 7);
  return `Arrives ${from} - ${isSameMonth ? to.split(" ")[1] : to}`;
}

/**
 * "Arrives Nov 27 - Dec 2", as an order was promised; null where nothing was, or where what has happened since (`day`: the
 * date it was sent, or today while it was not) is too late for it.
 */
export function promisedArrival(arrival: Arrival | null, day: string): string | null {
  return arrival !== null && day < arrival.earliest ? arrivalText(arrival) : null;
}

/** "Nov 27" */
function monthAndDay(date: string): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString("en-US", {
    timeZone: "UTC",
    month: "short",
    day: "numeric",
  });
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

/** This date or the first one after it that counts. */
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
