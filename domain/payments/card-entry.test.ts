import { expect, test } from "vitest";
import { formatCardNumber, formatExpiry, passesLuhn, readCard, testCards } from "./card-entry.ts";

const now = new Date(2026, 10, 30);
const good = { number: "4242 4242 4242 4242", expiry: "12 / 30", cvc: "123" };

test("a well-formed card is accepted", () => {
  expect(readCard(good, now)).toEqual({
    ok: true,
    card: { number: "4242424242424242", expMonth: 12, expYear: 2030, cvc: "123" },
  });
});

test("an empty form reports what to enter in each field", () => {
  expect(readCard({ number: "", expiry: "", cvc: "" }, now)).toEqual({
    ok: false,
    problems: {
      number: "Enter your card number",
      expiry: "Enter the expiry date",
      cvc: "Enter the CVC",
    },
  });
});

test.each([
  [{ number: "4242 4242 4242 4241" }, { number: "This card number is not valid" }],
  [{ number: "0000" }, { number: "This card number is not valid" }],
  [{ expiry: "13 / 30" }, { expiry: "Enter the expiry date as MM / YY" }],
  [{ expiry: "12" }, { expiry: "Enter the expiry date as MM / YY" }],
  [{ expiry: "10 / 26" }, { expiry: "The expiry date is in the past" }],
  [{ cvc: "12" }, { cvc: "The CVC has 3 or 4 digits" }],
])("the card %o is refused with a problem at its field", (entry, problems) => {
  expect(readCard({ ...good, ...entry }, now)).toEqual({ ok: false, problems });
});

test("a card is valid to the end of its month", () => {
  expect(readCard({ ...good, expiry: "11 / 26" }, now).ok).toBe(true);
});

test("every test card passes the check digit", () => {
  expect(testCards.filter(({ number }) => !passesLuhn(number))).toEqual([]);
});

test("a card number is shown in groups of four", () => {
  expect(formatCardNumber("42424242x4242")).toBe("4242 4242 4242");
});

test.each([
  ["1", "", "1"],
  ["12", "1", "12 / "],
  ["5", "", "05 / "],
  ["12 / 3", "12 / ", "12 / 3"],
  ["1230", "", "12 / 30"],
  ["12/2030", "", "12 / 30"],
  ["12 /", "12 / ", "12"],
  ["1", "12", "1"],
])("typing %s after %s shows %s", (text, previous, shown) => {
  expect(formatExpiry(text, previous)).toBe(shown);
});
