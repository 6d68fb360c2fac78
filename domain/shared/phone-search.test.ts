import { expect, test } from "vitest";
import { phoneDigits, phoneSearchTerms } from "./phone-search.ts";

const same: [stored: string, typed: string][] = [
  ["+1 512 555 0100", "(512) 555-0100"],
  ["(512) 555-0100", "+1 512.555.0100"],
  ["512-555-0100", "15125550100"],
  ["+49 171 2345678", "0171/2345678"],
  ["+49 (0)171 2345678", "0049 171 2345678"],
  ["0171 2345678", "+49 171 2345678"],
  ["030 123456", "+49 (0)30 123456"],
  ["+353 86 123 4567", "086 1234567"],
  ["086 123 4567", "+353 86 123 4567"],
  ["+1 512 555 0100", "555 0100"],
];

test.each(same)("the phone number %s is found by %s", (stored, typed) => {
  expect(phoneSearchTerms(typed).some((term) => phoneDigits(stored).includes(term))).toBe(true);
});

test("a phone number that differs in one digit is not found", () => {
  expect(phoneSearchTerms("+1 512 555 0100").some((term) => "15125550101".includes(term))).toBe(false);
});

test.each(["2017", "#123456", "Ada 123456", "12-34", "+"])("%s is not a phone number", (typed) => {
  expect(phoneSearchTerms(typed)).toEqual([]);
});
