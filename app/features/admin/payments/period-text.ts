import type { MoneyCheck } from "../../../../domain/money-check/money-check.ts";

/** "Nov 14 to Nov 20, 2026", or one day alone. */
export function periodText({ from, to }: Pick<MoneyCheck, "from" | "to">): string {
  if (from === to) return dayText(to, true);
  return `${dayText(from, from.slice(0, 4) !== to.slice(0, 4))} to ${dayText(to, true)}`;
}

function dayText(date: string, hasYear: boolean): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString("en-US", {
    month: "short",
    day: "numeric",
    ...(hasYear ? { year: "numeric" } : {}),
    timeZone: "UTC",
  });
}
