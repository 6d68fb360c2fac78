import { expect, test } from "vitest";
import { suggestedCorrection } from "./address.ts";

const entered = {
  ...{
    line1: "12 North Harbor Street",
    line2: "Apt. 4B",
    city: "São Paulo",
    state: "CA",
    postalCode: "90277",
  },
  country: "US",
};
const carrierAddress = {
  street1: "12 N HARBOR ST",
  street2: "UNIT 4B",
  city: "SAO PAULO",
  state: "CA",
  zip: "90277-2506",
  country: "US",
};

test("a carrier's spelling in capitals, with abbreviations and a longer postal code, is not a correction", () => {
  expect(suggestedCorrection(entered, carrierAddress)).toBe(null);
  expect(
    suggestedCorrection(entered, { ...carrierAddress, street1: "12 N HARBOR ST # 4B", street2: null }),
  ).toBe(null);
});

test.each([
  ["another house", { street1: "21 N HARBOR ST" }, { line1: "21 N Harbor St" }],
  ["another flat", { street2: "UNIT 5" }, { line2: "Unit 5" }],
  ["another postal code", { zip: "90278-1234" }, { postalCode: "90278-1234" }],
])("%s is a correction, shown in mixed case", (_, change, correction) => {
  expect(suggestedCorrection(entered, { ...carrierAddress, ...change })).toMatchObject(correction);
});
