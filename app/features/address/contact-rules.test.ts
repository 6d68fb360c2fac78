import { expect, test } from "vitest";
import { phoneWarning } from "../../../domain/address/phone-rules.ts";
import { suggestedEmail } from "./email-typos.ts";

test.each([
  ["(512) 555-0100", "US", true],
  ["+44 20 7946 0018", "US", true],
  ["020 7946 0018", "GB", true],
  ["030 901820", "DE", true],
  ["020 7946 0018 99", "US", false],
  ["12345", "US", false],
  ["call me", "US", false],
  ["", "US", true],
])("whether %s, entered for an address in %s, is a possible phone number: %s", (typed, country, isPhone) => {
  expect(phoneWarning(typed, country)).toEqual(isPhone ? null : expect.stringContaining("check this number"));
});

test.each([
  ["ada@gmial.com", "ada@gmail.com"],
  ["ada@hotmial.com", "ada@hotmail.com"],
  ["ada@yaho.com", "ada@yahoo.com"],
  ["ada@gmail.com", null],
  ["ada@gmx.net", null],
  ["ada@example.com", null],
  ["ada@palmira.co", null],
])("the correction suggested for %s is %s", (email, correction) => {
  expect(suggestedEmail(email)).toBe(correction);
});
