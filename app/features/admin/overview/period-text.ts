import type { Grain, Overview, Period } from "../../../../domain/overview/overview.ts";
import { inclusiveDays } from "../../../../domain/shared/zoned-days.ts";

/** Such as "Nov 20", or with `year` "Nov 20, 2026". */
export function formatDate(date: string, year = false): string {
  return inUtc(date, { month: "short", day: "numeric", ...(year ? { year: "numeric" } : {}) });
}

/** The period of a bar, such as "Nov 20, 2026", "Nov 16 to Nov 22, 2026" or "November 2026". */
export function formatBarPeriod({ from, to }: Period, by: Grain): string {
  if (by === "month") return inUtc(from, { month: "long", year: "numeric" });
  return from === to ? formatDate(from, true) : `${formatDate(from)} to ${formatDate(to, true)}`;
}

/** Short label below a bar, such as "Nov 20". A month is "Nov ’26", so that it cannot be mistaken for a day. */
export function formatBarLabel({ from }: Period, by: Grain): string {
  return by === "month" ? `${inUtc(from, { month: "short" })} ’${from.slice(2, 4)}` : formatDate(from);
}

/** Such as "last 30 days", or the dates themselves. */
export function formatPeriod({ from, to, today }: Pick<Overview, "from" | "to" | "today">): string {
  const days = inclusiveDays(from, to);
  if (to === today && days === 1) return "today";
  if (to === today && days <= 31) return `last ${days} days`;
  return from === to ? formatDate(from, true) : `${formatDate(from, true)} to ${formatDate(to, true)}`;
}

function inUtc(date: string, options: Intl.DateTimeFormatOptions): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString("en-US", { ...options, timeZone: "UTC" });
}
