import { expect, test } from "vitest";
import { formatMoment, parseMoment } from "./moment.ts";

test.each([
  ["2026-11-22 10:00", "2026-11-22T09:00:00.000Z"],
  ["2026-07-22T10:00:30", "2026-07-22T08:00:30.000Z"],
  ["2026-11-22 10:00Z", "2026-11-22T10:00:00.000Z"],
  ["2026-11-22 10:00 UTC", "2026-11-22T10:00:00.000Z"],
  ["2026-11-22 10:00 -0500", "2026-11-22T15:00:00.000Z"],
  ["2026-11-22 10:00:01+05:30", "2026-11-22T04:30:01.000Z"],
  ["2026-11-22 10:00 America/New_York", "2026-11-22T15:00:00.000Z"],
])("the text %s, read in Berlin's time zone, is %s", (text, iso) => {
  expect(parseMoment(text, "Europe/Berlin")?.toISOString()).toBe(iso);
});

test.each([
  "",
  "yesterday",
  "2026-11-22",
  "2026-02-30 10:00",
  "2026-11-22 24:00",
  "2026-11-22 10:60",
  "2026-11-22 10:00 Nowhere/There",
  "2026-11-22 10:00 +99:99",
])("the text %j is refused as a time", (text) => expect(parseMoment(text, "UTC")).toBeNull());

test("a time is printed with its zone", () => {
  expect(formatMoment(new Date("2026-11-22T09:00:05.900Z"), "Europe/Berlin")).toBe(
    "2026-11-22 10:00:05 (Europe/Berlin)",
  );
});
