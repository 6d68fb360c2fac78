import { expect, test } from "vitest";
import {
  changePercent,
  namedPeriod,
  periodBefore,
  periodGrain,
  periodProblem,
  periodSlots,
} from "../overview/overview.ts";
import { dateIn, startOfDay } from "../shared/zoned-days.ts";

test("the weeks of a chart begin on Monday and its months on the first, and the first and the last are cut off by the period", () => {
  const period = { from: "2026-01-30", to: "2026-02-10" };
  expect(periodSlots(period, "week")).toEqual([
    { from: "2026-01-30", to: "2026-02-01" },
    { from: "2026-02-02", to: "2026-02-08" },
    { from: "2026-02-09", to: "2026-02-10" },
  ]);
  expect(periodSlots(period, "month")).toEqual([
    { from: "2026-01-30", to: "2026-01-31" },
    { from: "2026-02-01", to: "2026-02-10" },
  ]);
  expect(periodSlots({ from: "2028-02-28", to: "2028-03-01" }, "day").map(({ from }) => from)).toEqual([
    "2028-02-28",
    "2028-02-29",
    "2028-03-01",
  ]);
});

test("twelve months are the current one and the eleven before", () => {
  const period = namedPeriod("12m", "2026-11-21");
  expect(period).toEqual({ from: "2025-12-01", to: "2026-11-21" });
  expect(periodSlots(period, periodGrain(period))).toHaveLength(12);
  expect(namedPeriod("12m", "2026-12-31").from).toBe("2026-01-01");
  expect(periodBefore(namedPeriod("7d", "2026-03-03"))).toEqual({ from: "2026-02-18", to: "2026-02-24" });
});

test.each([
  ["2026-02-30", "2026-03-01", "Enter both days."],
  ["", "2026-03-01", "Enter both days."],
  ["9999-12-01", "9999-12-31", "Enter both days."],
  ["0001-01-01", "0001-02-01", "Enter both days."],
  ["2026-03-02", "2026-03-01", "The first day comes after the last."],
  ["2020-03-02", "2026-03-01", "At most three years at once."],
  ["2026-03-01", "2026-03-01", null],
])("the period from %s to %s has the problem: %s", (from, to, problem) => {
  expect(periodProblem({ from, to })).toBe(problem);
});

test("a change is in percent of the earlier value, and null without one", () => {
  expect(changePercent(150, 100)).toBe(50);
  expect(changePercent(0, 300)).toBe(-100);
  expect(changePercent(100, 300)).toBe(-66.7);
  expect(changePercent(5, 0)).toBeNull();
  expect(changePercent(null, 5)).toBeNull();
});

test.each([
  ["UTC", "2026-03-08", "2026-03-08T00:00:00.000Z"],
  ["America/Chicago", "2026-03-09", "2026-03-09T05:00:00.000Z"],
  ["Asia/Kathmandu", "2026-03-08", "2026-03-07T18:15:00.000Z"],
  // At this place clocks go forward at midnight: the day begins at one.
  ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00.000Z"],
  // At this place the day was skipped.
  ["Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00.000Z"],
])("in the time zone %s, the day %s begins at %s", (timeZone, date, start) => {
  expect(startOfDay(timeZone, date).toISOString()).toBe(start);
  expect(dateIn(timeZone, new Date(Date.parse(start) - 1)) < date).toBe(true);
});
