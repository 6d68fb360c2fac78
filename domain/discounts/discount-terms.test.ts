import { describe, expect, test } from "vitest";
import { discountLabel, discountRow } from "./discount.ts";
import { type DiscountTerms, discountProblem, discountSentence, discountState } from "./discount-terms.ts";

const terms: DiscountTerms = {
  code: "SPRING10",
  kind: "percent",
  value: 10,
  minimumSubtotal: 0,
  startsAt: null,
  endsAt: null,
  limitTotal: null,
  limitPerCustomer: null,
  firstOrderOnly: false,
  active: true,
};
const newYork = "America/New_York";
/** Midnight of December 1 in New York. */
const december = "2026-12-01T05:00:00.000Z";
const problemOf = (changes: Partial<DiscountTerms>, now = "2026-06-01T00:00:00.000Z", used = 0) =>
  discountProblem({ terms: { ...terms, ...changes }, used, now: new Date(now), timeZone: newYork }, 2995);

describe("the problem of a discount code, with days in the shop's time zone", () => {
  test.each<[string, string | null, string | null]>([
    ["none if it applies", problemOf({}), null],
    ["none from its first moment on", problemOf({ startsAt: december }, december), null],
    ["not valid yet", problemOf({ startsAt: december }), "This discount code is valid from Dec 1, 2026."],
    ["none until its last moment", problemOf({ endsAt: december }, "2026-12-01T04:59:59.999Z"), null],
    [
      "no longer valid",
      problemOf({ endsAt: december }, december),
      "This discount code was valid until Nov 30, 2026.",
    ],
    ["used up", problemOf({ limitTotal: 3 }, december, 3), "This discount code has been used up."],
    ["none with one use left", problemOf({ limitTotal: 3 }, december, 2), null],
    [
      "below the minimum",
      problemOf({ minimumSubtotal: 4000 }),
      "This discount code is for orders of $40 or more. Add $10.05 to use it.",
    ],
    ["none at the minimum", problemOf({ minimumSubtotal: 2995 }), null],
  ])("%s", (_, answer, expected) => expect(answer).toBe(expected));
});

test("a discount's offer is stated to shoppers in one sentence", () => {
  expect(discountSentence(terms, newYork)).toBe("10% off any order.");
  const whole = { ...terms, minimumSubtotal: 4000, startsAt: "2026-11-01T04:00:00.000Z", endsAt: december };
  expect(discountSentence({ ...whole, limitPerCustomer: 1 }, newYork)).toBe(
    "10% off orders of $40 or more, from Nov 1, 2026 until Nov 30, 2026. Once per customer.",
  );
  expect(discountSentence({ ...terms, firstOrderOnly: true }, newYork)).toBe("10% off your first order.");
  expect(discountSentence({ ...terms, firstOrderOnly: true, minimumSubtotal: 4000 }, newYork)).toBe(
    "10% off a first order of $40 or more.",
  );
  expect(discountSentence({ ...terms, kind: "free_shipping", value: 0 }, newYork)).toBe(
    "Free shipping on any order.",
  );
});

test("a discount's row names the code, also if it only made shipping free", () => {
  expect(discountLabel({ kind: "amount", value: 450 })).toBe("$4.50 off");
  expect(discountRow("SPRING10", 300)).toEqual(["Discount (SPRING10)", "−$3.00"]);
  expect(discountRow("POST", 0)).toEqual(["Discount (POST)", "Free shipping"]);
  expect(discountRow(null, 0)).toBeNull();
});

test("a code's state is the reason why it cannot be used", () => {
  const now = new Date("2026-06-01T00:00:00.000Z");
  const state = (changes: Partial<DiscountTerms>, used = 0) =>
    discountState({ ...terms, ...changes, used }, now);
  expect(state({})).toBe("running");
  expect(state({ active: false })).toBe("off");
  expect(state({ startsAt: december })).toBe("upcoming");
  expect(state({ endsAt: "2026-05-01T00:00:00.000Z" })).toBe("ended");
  expect(state({ limitTotal: 2 }, 2)).toBe("used_up");
});
