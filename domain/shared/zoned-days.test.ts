import fc from "fast-check";
import { expect, test } from "vitest";
import { bestBeforeStatus } from "../inventory/stock.ts";
import { addDays, dateIn, datesIn, startOfDay } from "./zoned-days.ts";

// Zones with and without summer time, with days that begin at one o'clock (Santiago, Cairo), a skipped day (Apia), and quarters (Nepal).
const zone = fc.constantFrom(
  "UTC",
  "America/New_York",
  "America/Santiago",
  "Africa/Cairo",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
);
const date = fc
  .date({ min: new Date("2011-01-01"), max: new Date("2035-01-01"), noInvalidDate: true })
  .map((time) => time.toISOString().slice(0, 10));

test("a day begins at the first moment that has its date in the time zone", () => {
  fc.assert(
    fc.property(zone, date, (timeZone, day) => {
      const start = startOfDay(timeZone, day);
      expect(dateIn(timeZone, start) >= day).toBe(true);
      expect(dateIn(timeZone, new Date(start.getTime() - 1)) < day).toBe(true);
    }),
  );
});

test("a batch is past its best-before date once the next day has begun in the shop's time zone", () => {
  fc.assert(
    fc.property(zone, date, (timeZone, bestBefore) => {
      const nextDay = startOfDay(timeZone, addDays(bestBefore, 1)).getTime();
      const ageAt = (time: number) => bestBeforeStatus(bestBefore, dateIn(timeZone, new Date(time)));
      expect(ageAt(nextDay - 1)).not.toBe("over");
      expect(ageAt(nextDay)).toBe("over");
    }),
  );
});

test.each([
  ["2026-03-08", "2026-03-08T05:00:00.000Z", 23],
  ["2026-11-01", "2026-11-01T04:00:00.000Z", 25],
])("%s, when the clocks change in New York, lasts from %s for %i hours", (day, begins, hours) => {
  const [from, to] = [day, addDays(day, 1)].map((date) => startOfDay("America/New_York", date));
  expect(from?.toISOString()).toBe(begins);
  expect((Number(to) - Number(from)) / 3_600_000).toBe(hours);
});

test("a list of dates may contain ranges", () => {
  expect(datesIn("2026-11-26\n2026-12-30 to 2027-01-02, 2027-05-31")).toEqual([
    "2026-11-26",
    "2026-12-30",
    "2026-12-31",
    "2027-01-01",
    "2027-01-02",
    "2027-05-31",
  ]);
  expect(datesIn("2026-12-25–2026-12-26")).toEqual(["2026-12-25", "2026-12-26"]);
  expect(datesIn("2026-12-26 to 2026-12-25")).toEqual(["2026-12-26", "to", "2026-12-25"]);
  expect(datesIn("2026-12-24 to 2126-12-24, Christmas")).toEqual([
    "2026-12-24",
    "to",
    "2126-12-24",
    "Christmas",
  ]);
});
