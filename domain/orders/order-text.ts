/** "November 19, 2026", or "N/A" without a valid time. An undefined `timeZone` is the reader's own. */
export function formatDay(iso: string | null, timeZone: string | undefined): string {
  return format(iso, { timeZone });
}

/** "November 19, 2026 at 9:14 AM UTC" */
export function formatMinute(iso: string | null, timeZone: string | undefined): string {
  return format(iso, { timeZone, hour: "numeric", minute: "2-digit", timeZoneName: "short" });
}

/** "December 14, 2026": the last day of a period that ends in UTC-12 (order-actions.ts). */
export function formatLastDay(until: string): string {
  return formatDay(until, "Etc/GMT+12");
}

/** "Nov 19, 9:14 AM", with the year unless it is the current one. */
export function formatShort(
  iso: string | null,
  timeZone: string | undefined,
  precision: "day" | "minute",
): string {
  const formatYear = (at: string | null) => format(at, { timeZone, month: undefined, day: undefined });
  const isThisYear = formatYear(iso) === formatYear(new Date().toISOString());
  return format(iso, {
    timeZone,
    month: "short",
    year: isThisYear ? undefined : "numeric",
    ...(precision === "minute" && { hour: "numeric", minute: "2-digit" }),
  });
}

function format(iso: string | null, parts: Intl.DateTimeFormatOptions): string {
  const time = iso === null ? Number.NaN : Date.parse(iso);
  if (Number.isNaN(time)) return "N/A";
  const day = { year: "numeric", month: "long", day: "numeric" } as const;
  return new Intl.DateTimeFormat("en-US", { ...day, ...parts }).format(time);
}

/** Label of the checkbox: "Email me in 8 weeks, when it may be time for a new bottle."; null if it is not offered. */
export function refillOffer(weeks: number): string | null {
  if (weeks === 0 || Number.isNaN(weeks)) return null;
  const period = weeks === 1 ? "a week" : `${weeks} weeks`;
  return `Email me ${period} after delivery, when it may be time for a new bottle.`;
}
