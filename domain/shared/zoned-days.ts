// Dates are `YYYY-MM-DD` in a time zone (IANA name).

const dayMs = 24 * 60 * 60 * 1000;
const quarterMs = 15 * 60 * 1000;
/** Maximum offset from UTC. */
const maxOffsetQuarters = 14 * 4;

const formatters = new Map<string, Intl.DateTimeFormat>();

export function dateIn(timeZone: string, at: Date): string {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    // This locale writes year, month and day in ISO order.
    formatter = new Intl.DateTimeFormat("en-CA", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    });
    formatters.set(timeZone, formatter);
  }
  return formatter.format(at);
}

/**
 * The first instant of a date: midnight, unless the clock changes at midnight. Offsets are multiples of 15 minutes, so a
 * binary search over quarters of an hour finds it. If the zone skipped the date, this is the start of the next one.
 */
export function startOfDay(timeZone: string, date: string): Date {
  const utcMidnight = Date.parse(`${date}T00:00:00Z`);
  let low = -maxOffsetQuarters - 1;
  let high = maxOffsetQuarters + 1;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (dateIn(timeZone, new Date(utcMidnight + middle * quarterMs)) >= date) high = middle;
    else low = middle;
  }
  return new Date(utcMidnight + high * quarterMs);
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** Skips weekends, but not holidays. */
export function businessDaysLater(date: string, days: number): string {
  let day = date;
  for (let remaining = days; remaining > 0; ) {
    day = addDays(day, 1);
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
    if (weekday !== 0 && weekday !== 6) remaining -= 1;
  }
  return day;
}

/** Number of days, both dates included. */
export function inclusiveDays(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
}

/** Whether the date exists in the calendar, in a year from 1900 to 2999. */
export function isDate(text: string): boolean {
  if (!/^(19|2\d)\d{2}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text;
}

/** Dates listed in a text. Expands a range such as "2026-12-24 to 2027-01-04"; other words are returned unchanged. */
export function datesIn(text: string): string[] {
  const spans = /(\d{4}-\d{2}-\d{2}) *(?:to|–|-) *(\d{4}-\d{2}-\d{2})/g;
  const datesOnly = text.replace(spans, (span, from: string, to: string) => {
    const count = isDate(from) && isDate(to) ? inclusiveDays(from, to) : 0;
    if (count < 1 || count > 366) return span;
    return Array.from({ length: count }, (_, index) => addDays(from, index)).join(" ");
  });
  return datesOnly.split(/[\s,]+/).filter(Boolean);
}
