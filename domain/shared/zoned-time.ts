/** `"2026-12-01T05:00:00.000Z"` -> `"2026-12-01T00:00"`, as a clock in that zone (IANA name) shows it. */
export function isoToLocal(iso: string, timeZone: string): string {
  return localAt(new Date(iso).getTime(), timeZone).toISOString().slice(0, 16);
}

/**
 * `"2026-12-01T00:00"` on a clock in that zone -> ISO 8601 UTC. A time that the clock skips in spring becomes the one an
 * hour later; one that it shows twice in autumn, the first. Null for what is no time.
 */
export function localToIso(local: string, timeZone: string): string | null {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return null;
  // The clock's offset a day before and after: one of them holds at that time.
  const candidates = [-dayMs, dayMs].map((step) => asUtc - offsetAt(asUtc + step, timeZone));
  const exact = candidates.filter((at) => localAt(at, timeZone).getTime() === asUtc);
  return new Date(exact.length > 0 ? Math.min(...exact) : Math.max(...candidates)).toISOString();
}

const dayMs = 24 * 60 * 60 * 1000;

function offsetAt(at: number, timeZone: string): number {
  return localAt(at, timeZone).getTime() - Math.floor(at / 60_000) * 60_000;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** "2026-11-20 09:14:00", as a clock in that zone (IANA name) shows it. */
export function zonedTime(at: Date, timeZone: string): string {
  let clock = clocks.get(timeZone);
  if (!clock) {
    // Swedes write times as ISO 8601 does.
    clock = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone });
    clocks.set(timeZone, clock);
  }
  return clock.format(at);
}

/** What the clock shows, to the minute, written as if it were UTC. */
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
