/** `"2026-12-01T05:00:00.000Z"` -> `"2026-12-01T00:00"`, local time in the zone (IANA name). */
export function isoToLocal(iso: string, timeZone: string): string {
  return localAt(new Date(iso).getTime(), timeZone).toISOString().slice(0, 16);
}

/**
 * `"2026-12-01T00:00"` local time in the zone -> ISO 8601 UTC. A time that is skipped in spring becomes an hour later; a time
 * that occurs twice in autumn is taken as the first one. Null for an invalid time.
 */
export function localToIso(local: string, timeZone: string): string | null {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return null;
  // Offsets a day before and after: one of them applies.
  const candidates = [-dayMs, dayMs].map((step) => asUtc - offsetAt(asUtc + step, timeZone));
  const exact = candidates.filter((at) => localAt(at, timeZone).getTime() === asUtc);
  return new Date(exact.length > 0 ? Math.min(...exact) : Math.max(...candidates)).toISOString();
}

const dayMs = 24 * 60 * 60 * 1000;

function offsetAt(at: number, timeZone: string): number {
  return localAt(at, timeZone).getTime() - Math.floor(at / 60_000) * 60_000;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** "2026-11-20 09:14:00", local time in the zone (IANA name). */
export function zonedTime(at: Date, timeZone: string): string {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    // The Swedish locale writes ISO 8601.
    formatter = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone });
    formatters.set(timeZone, formatter);
  }
  return formatter.format(at);
}

/** Local time to the minute, represented as if it were UTC. */
function localAt(at: number, timeZone: string): Date {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((each) => each.type === type)?.value);
  return new Date(Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute")));
}
