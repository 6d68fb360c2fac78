import { expect, test } from "vitest";
import { clampQuantity } from "./cart-limits.ts";

test.each([
  [1, 1],
  [99, 99],
  [100, 99],
  [1e9, 99],
  [0, 1],
  [-3, 1],
  [2.9, 2],
  ["7", 7],
  ["007", 7],
  ["3 bottles", 3],
])("a quantity of %j counts as %i", (typed, quantity) => {
  expect(clampQuantity(typed)).toBe(quantity);
});

test.each(["", "two", Number.NaN, Number.POSITIVE_INFINITY, null, undefined, {}])(
  "a quantity of %j counts as one",
  (value) => {
    expect(clampQuantity(value)).toBe(1);
  },
);
