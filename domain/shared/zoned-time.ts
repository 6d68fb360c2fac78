/** `"2026-12-01T05:00:00.000Z"` -> `"2026-12-01T00:00"`, local time in the zone (IANA name). */
export function isoToLocal(iso: string, timeZone: string): string {
  return new Date(localMinuteAsUtc(Date.parse(iso), timeZone)).toISOString().slice(0, 16);
}

/**
 * `"2026-12-01T00:00"` local time in the zone -> ISO 8601 UTC. A time that is skipped in spring becomes an hour later; a time
 * that occurs twice in autumn is interpreted as the first one. Null for an invalid time.
 */
export function localToIso(local: string, timeZone: string): string | null {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return null;
  // Offsets a day before and after: one of them applies.
  const candidates = [-dayMs, dayMs].map((step) => asUtc - offsetAt(asUtc + step, timeZone));
  const exact = candidates.filter((at) => localMinuteAsUtc(at, timeZone) === asUtc);
  return new Date(exact.length > 0 ? Math.min(...exact) : Math.max(...candidates)).toISOString();
}

const dayMs = 24 * 60 * 60 * 1000;

function offsetAt(at: number, timeZone: string): number {
  return localMinuteAsUtc(at, timeZone) - Math.floor(at / 60_000) * 60_000;
}

type Zone = {
  formatter: Intl.DateTimeFormat;
  /** Day in UTC -> offset from UTC in milliseconds; null if the offset changes on that day. */
  offsets: Map<number, number | null>;
};
const zones = new Map<string, Zone>();
/** Days since 1970 -> "2026-11-20". */
const dates = new Map<number, string>();
/** Size limit of each cache, more days than a shop's files contain. */
const maxDays = 20_000;
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));

/**
 * "2026-11-20 09:14:00", local time in the zone (IANA name). Only the first time of each day is formatted by `Intl`, which
 * takes ten times as long and would be a fifth of a file of many lines.
 */
export function zonedTimestamp(at: Date, timeZone: string): string {
  let zone = zones.get(timeZone);
  if (!zone) {
    // The Swedish locale writes ISO 8601.
    const formatter = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone });
    zone = { formatter, offsets: new Map() };
    zones.set(timeZone, zone);
  }
  const offset = getOrCompute(zone.offsets, Math.floor(at.getTime() / dayMs), (day) =>
    dailyOffset(zone.formatter, day),
  );
  if (offset === null) return zone.formatter.format(at);
  const local = at.getTime() + offset;
  const day = Math.floor(local / dayMs);
  const date = getOrCompute(dates, day, () => new Date(local).toISOString().slice(0, 10));
  const seconds = Math.floor((local - day * dayMs) / 1000);
  return `${date} ${twoDigits[Math.floor(seconds / 3600)]}:${twoDigits[Math.floor(seconds / 60) % 60]}:${twoDigits[seconds % 60]}`;
}

/** The zone's offset on a day (UTC); null if it changes on that day. */
function dailyOffset(formatter: Intl.DateTimeFormat, day: number): number | null {
  const difference = (at: number) => Date.parse(`${formatter.format(at)}Z`) - at;
  const atStart = difference(day * dayMs);
  return atStart === difference((day + 1) * dayMs) ? atStart : null;
}

function getOrCompute<Value>(days: Map<number, Value>, day: number, compute: (day: number) => Value): Value {
  const existing = days.get(day);
  if (existing !== undefined) return existing;
  if (days.size >= maxDays) days.clear();
  const value = compute(day);
  days.set(day, value);
  return value;
}

/**
 * The zone's local time, without its seconds, as a number (ms) to compute with: as if the local time were UTC. Valid for any year;
 * `zonedTimestamp` is the fast way to a text.
 */
function localMinuteAsUtc(at: number, timeZone: string): number {
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
    Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"));
}
