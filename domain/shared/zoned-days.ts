/** Dates are `YYYY-MM-DD` in a time zone (IANA name). */

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
 * The first instant of a date, which is not midnight on days when clocks change then. Offsets are multiples of a quarter of
 * an hour, so it is the first quarter with that date, or with a later one if the date was skipped.
 */
export function startOfDay(timeZone: string, date: string): Date {
  const utcMidnight = Date.parse(`${date}T00:00:00Z`);
  let before = -maxOffsetQuarters - 1;
  let reached = maxOffsetQuarters + 1;
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (dateIn(timeZone, new Date(utcMidnight + middle * quarterMs)) >= date) reached = middle;
    else before = middle;
  }
  return new Date(utcMidnight + reached * quarterMs);
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** Skips weekends, but no holidays. */
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
export function daysFromTo(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
}

/** Whether the date exists in the calendar, with a year of four digits. */
export function isDate(text: string): boolean {
  if (!/^(19|2\d)\d{2}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text;
}

/** Dates listed in a text, with all of "2026-12-24 to 2027-01-04"; anything that is not a date stays as it was written. */
export function datesIn(text: string): string[] {
  const spans = /(\d{4}-\d{2}-\d{2}) *(?:to|–|-) *(\d{4}-\d{2}-\d{2})/g;
  const datesOnly = text.replace(spans, (span, from: string, to: string) => {
    const count = isDate(from) && isDate(to) ? daysFromTo(from, to) : 0;
    if (count < 1 || count > 366) return span;
    return Array.from({ length: count }, (_, index) => addDays(from, index)).join(" ");
  });
  return datesOnly.split(/[\s,]+/).filter(Boolean);
}
