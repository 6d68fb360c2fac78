import { expect, test } from "vitest";
import { formatDay, formatLastDay, formatMinute, formatShort } from "./order-text.ts";

const createdAt = "2026-11-19T23:30:00.000Z";

test("a day is formatted in the reader's time zone", () => {
  expect(formatDay(createdAt, "UTC")).toBe("November 19, 2026");
  expect(formatDay(createdAt, "Asia/Tokyo")).toBe("November 20, 2026");
});

test.each([null, "", "yesterday"])("the missing or invalid day “%s” is formatted as N/A", (text) => {
  expect(formatDay(text, "UTC")).toBe("N/A");
});

test("a time includes its zone", () => {
  expect(formatMinute(createdAt, "UTC")).toMatch(/November 19, 2026.*11:30.PM UTC/);
});

test("the last day of a period is formatted in UTC-12", () => {
  expect(formatLastDay("2026-12-14T11:59:59.999Z")).toBe("December 13, 2026");
});

test("a short time includes the year only if it is not the current one", () => {
  expect(formatShort("2019-11-19T09:14:00.000Z", "UTC", "minute")).toMatch(/^Nov 19, 2019, 9:14.AM$/);
  const thisYear = `${new Date().getUTCFullYear()}-06-19T09:14:00.000Z`;
  expect(formatShort(thisYear, "UTC", "day")).toBe("Jun 19");
  // The year there, which the time below has in UTC only.
  const year = new Date(Date.now() - 12 * 60 * 60 * 1000).getUTCFullYear();
  expect(formatShort(`${year}-01-01T00:30:00.000Z`, "Etc/GMT+12", "day")).toBe(`Dec 31, ${year - 1}`);
});
