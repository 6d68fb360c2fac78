import { expect, test } from "vitest";
import { maskedPhone, parsePhoneDigits } from "./phone.ts";

test.each([
  ["(555) 010-4477", "5550104477"],
  ["+1 555 010 4477", "5550104477"],
  ["55501", "55501"],
  ["phone", ""],
])("the digits of the phone number %j are %j", (typed, digits) =>
  expect(parsePhoneDigits(typed)).toBe(digits),
);

test("a masked phone number shows only its last digits", () => {
  expect(maskedPhone("+15550104477")).toBe("number ending in 4477");
});
