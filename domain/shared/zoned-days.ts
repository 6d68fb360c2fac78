/** Dates are `YYYY-MM-DD`; which instants they are depends on a time zone (IANA name). */

const dayMs = 24 * 60 * 60 * 1000;
const quarterMs = 15 * 60 * 1000;
/** No zone is further from UTC. */
const offsetMaxQuarters = 14 * 4;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** The date there at an instant. */
export function dateIn(timeZone: string, at: Date): string {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    // The one English way that writes year, month and day in this order.
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
 * When a date begins there: on some days of some zones not at midnight. Clocks everywhere differ by whole quarters of an
 * hour, so it is the first quarter that has the date, or a later one where the date was left out.
 */
export function startOfDay(timeZone: string, date: string): Date {
  const utcMidnight = Date.parse(`${date}T00:00:00Z`);
  let before = -offsetMaxQuarters - 1;
  let reached = offsetMaxQuarters + 1;
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

/** Days from one date to another, both counted. */
export function daysFromTo(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
}

/** Whether there is such a date, and one of our time: no February 30th, and no year whose neighbors have five digits. */
export function isDate(text: string): boolean {
  if (!/^(19|2\d)\d{2}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text;
}
