import { expect, test } from "vitest";
import { isoToLocal, localToIso, zonedTimestamp } from "./zoned-time.ts";

test.each([
  ["2026-12-01T00:00", "America/New_York", "2026-12-01T05:00:00.000Z"],
  ["2026-07-01T00:00", "America/New_York", "2026-07-01T04:00:00.000Z"],
  ["2026-07-01T00:00", "UTC", "2026-07-01T00:00:00.000Z"],
  ["2026-01-01T08:30", "Asia/Kolkata", "2026-01-01T03:00:00.000Z"],
  ["2026-01-01T00:00", "Pacific/Auckland", "2025-12-31T11:00:00.000Z"],
])("%s in %s is converted to %s and back", (local, zone, iso) => {
  expect(localToIso(local, zone)).toBe(iso);
  expect(isoToLocal(iso, zone)).toBe(local);
});

test("a local time that a clock change skips or repeats is converted to an existing one", () => {
  expect(localToIso("2026-03-08T02:30", "America/New_York")).toBe("2026-03-08T07:30:00.000Z");
  expect(localToIso("2026-11-01T01:30", "America/New_York")).toBe("2026-11-01T05:30:00.000Z");
});

test("an invalid local time is converted to null", () => expect(localToIso("", "UTC")).toBeNull());

test.each(["UTC", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia"])(
  "times in %s equal those of Intl, even on days of clock changes",
  (timeZone) => {
    const format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone });
    const from = Date.UTC(2011, 0, 1);
    // Each quarter of an hour of two years, with Apia's day that did not exist, and its end to the millisecond.
    for (let at = from; at < Date.UTC(2013, 0, 1); at += 15 * 60_000) {
      for (const time of [new Date(at), new Date(at - 1)]) {
        if (zonedTimestamp(time, timeZone) !== format.format(time))
          expect(zonedTimestamp(time, timeZone), time.toISOString()).toBe(format.format(time));
      }
    }
  },
);
