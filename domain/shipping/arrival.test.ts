import { expect, test } from "vitest";
import {
  arrivalText,
  dispatchBy,
  estimateArrival,
  orderDay,
  promisedArrival,
  type ShopCalendar,
} from "./arrival.ts";

const calendar: ShopCalendar = { cutOff: "14:00", workingDays: [1, 2, 3, 4, 5], holidays: [] };
const austin = "America/Chicago";

test.each([
  ["2026-11-20T19:59:00Z", "2026-11-20", "a Friday, before 14:00 in Austin"],
  ["2026-11-20T20:00:00Z", "2026-11-23", "a Friday, at 14:00"],
  ["2026-11-22T12:00:00Z", "2026-11-23", "a Sunday"],
  ["2026-11-24T04:00:00Z", "2026-11-24", "still Monday in Austin, after the hour"],
])("the delivery of an order placed %s is counted from %s: %s", (now, day) => {
  expect(orderDay(calendar, austin, new Date(now))).toBe(day);
});

test("holidays are skipped, even as the day from which an order's delivery is counted", () => {
  const closed = { ...calendar, holidays: ["2026-11-26", "2026-11-27"] };
  expect(orderDay(closed, austin, new Date("2026-11-26T12:00:00Z"))).toBe("2026-11-30");
});

test.each([
  [[3, 5], {}, "Arrives Nov 27 – Dec 2"],
  [[1, 2], {}, "Arrives Nov 25 – 27"],
  [[3, 5], { holidays: ["2026-11-26"] }, "Arrives Nov 30 – Dec 3"],
  // Packed on Tuesdays only, delivered on any working day.
  [[1, 1], { workingDays: [2] }, "Arrives Dec 2 – 9"],
])("an order of Monday, November 23, with %j days in transit and %j: %s", (days, other, text) => {
  const [least = 0, most = 0] = days;
  const changedCalendar = { ...calendar, ...other };
  const day = orderDay(changedCalendar, austin, new Date("2026-11-23T12:00:00Z"));
  expect(arrivalText(estimateArrival({ days: [least, most] }, changedCalendar, day))).toBe(text);
});

test("an order placed on Friday afternoon ships by Wednesday, or by Thursday if there is a holiday", () => {
  const friday = new Date("2026-11-20T20:00:00Z");
  expect(dispatchBy(calendar, austin, friday)).toBe("2026-11-25");
  expect(dispatchBy({ ...calendar, holidays: ["2026-11-24"] }, austin, friday)).toBe("2026-11-26");
});

test("a date range of a single day names that day once", () => {
  expect(arrivalText({ earliest: "2026-12-02", latest: "2026-12-02" })).toBe("Arrives Dec 2");
});

test.each([
  ["2026-11-26", "Arrives Nov 27 – Dec 2"],
  ["2026-11-27", null],
])("an arrival promised from November 27, shown for a parcel sent on %s: %s", (day, text) => {
  const promised = { earliest: "2026-11-27", latest: "2026-12-02" };
  expect(promisedArrival(promised, day)).toBe(text);
  expect(promisedArrival(null, day)).toBeNull();
});
