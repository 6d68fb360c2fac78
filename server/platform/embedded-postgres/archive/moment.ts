import { isDate } from "../../../../domain/shared/zoned-days.ts";
import { localToIso } from "../../../../domain/shared/zoned-time.ts";

/**
 * Parses "2026-11-22 10:00", optionally with seconds and a zone ("Z", "UTC", "+01:00", "Europe/Berlin"); the default zone
 * is `timeZone`. Null for an invalid time.
 */
export function parseMoment(text: string, timeZone: string): Date | null {
  const parts =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(?::([0-5]\d))?(?: ?([+-]\d\d:?\d\d|[A-Za-z][\w/+-]*))?$/.exec(
      text.trim(),
    );
  if (!parts) return null;
  const [, date = "", time = "", second = "00", zone = timeZone] = parts;
  if (!isDate(date) || time > "23:59") return null;
  const offset =
    zone.toUpperCase() === "Z" ? "Z" : /^[+-]/.test(zone) ? zone.replace(/^(...)(\d\d)$/, "$1:$2") : null;
  if (offset !== null) {
    const at = new Date(`${date}T${time}:${second}${offset}`);
    return Number.isNaN(at.getTime()) ? null : at;
  }
  try {
    const at = localToIso(`${date}T${time}`, zone);
    return at === null ? null : new Date(Date.parse(at) + Number(second) * 1_000);
  } catch {
    // Unknown time zone.
    return null;
  }
}

/** "2026-11-22 10:00:00 (Europe/Berlin)" */
export function formatMoment(at: Date, timeZone: string): string {
  const text = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone }).format(
    at,
  );
  return `${text} (${timeZone})`;
}
