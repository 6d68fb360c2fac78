import fc from "fast-check";
import { expect, test } from "vitest";
import {
  centsToDollars,
  formatCents,
  formatCentsShort,
  legacyPriceToCents,
  maxOrderTotalCents,
  parseMoney,
} from "./money.ts";

const cents = fc.integer({ min: 0, max: maxOrderTotalCents });

test.each([
  [0, "$0.00", "$0"],
  [5, "$0.05", "$0.05"],
  [4950, "$49.50", "$49.50"],
  [5000, "$50.00", "$50"],
  [123_456_700, "$1,234,567.00", "$1,234,567"],
])("%i cents are %s, in a sentence %s", (amount, full, short) => {
  expect(formatCents(amount)).toBe(full);
  expect(formatCentsShort(amount)).toBe(short);
});

test("a formatted price parses to the same cents", () => {
  fc.assert(
    fc.property(cents, (amount) => {
      expect(parseMoney((amount / 100).toFixed(2))).toBe(amount);
    }),
  );
});

test.each([
  ["35.9", 3590],
  ["35.", 3500],
  [".5", 50],
  ["007", 700],
  [" 12 ", 1200],
  ["0", 0],
])("%s, as typed, is %i cents", (text, amount) => {
  expect(parseMoney(text)).toBe(amount);
});

test.each([
  "35.901",
  "30.999",
  "1e5",
  "1E2",
  "-5",
  "+5",
  "\u22125",
  "$5",
  "1,000",
  "35,90",
  "1 000",
  "0x10",
  "5.0.0",
  ".",
  "",
  "Infinity",
  "NaN",
  "\u0665",
  "12345678901",
])("the text %s is not an amount", (text) => {
  expect(parseMoney(text)).toBeNaN();
});

test("dollars for the older client convert back to the same cents", () => {
  fc.assert(
    fc.property(cents, (amount) => {
      expect(Math.round(centsToDollars(amount) * 100)).toBe(amount);
    }),
  );
});

test("an old cart's price under 100 counts as dollars, as number or text", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9999 }), (amount) => {
      expect(legacyPriceToCents(amount / 100)).toBe(amount);
      expect(legacyPriceToCents((amount / 100).toFixed(2))).toBe(amount);
    }),
  );
});

test.each([100, 2995, "2995", 99_999])("an old cart's price of %s counts as cents", (price) => {
  expect(legacyPriceToCents(price)).toBe(Number(price));
});

test.each([
  -1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  "1e999",
  "",
  "free",
  null,
  undefined,
  {},
  [29.95],
  true,
])("%s is not a price for an old cart", (value) => {
  expect(legacyPriceToCents(value)).toBeNull();
});
