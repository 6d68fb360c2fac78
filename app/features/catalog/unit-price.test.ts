import { expect, test } from "vitest";
import { unitPrices } from "./product-terms.ts";

test.each([
  ["2 fl oz / 60 ml", 2995, ["$14.98 / fl oz", "$49.92 / 100 ml"]],
  ["60ml", 3000, ["$50.00 / 100 ml"]],
  ["2 FL. OZ.", 2995, ["$14.98 / fl oz"]],
  ["3 x 60 ml", 7500, ["$41.67 / 100 ml"]],
  ["1,5 l", 3000, ["$20.00 / l"]],
  ["250 g", 1000, ["$4.00 / 100 g"]],
  ["100 ml", 1000, []],
  ["1 gift box", 1000, []],
  ["0 ml", 1000, []],
  ["", 1000, []],
])("unit prices of a size of %j", (size, cents, expected) => {
  expect(unitPrices(size, cents)).toEqual(expected);
});
