import { describe, expect, test } from "vitest";
import { discountLabel, discountRow } from "./discount.ts";
import { type DiscountTerms, discountProblem, discountSentence, discountState } from "./discount-terms.ts";

const terms: DiscountTerms = {
  code: "SPRING10",
  automatic: false,
  productIds: [],
  productNames: [],
  minimumUnits: 0,
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
const goods = {
  subtotal: 2995,
  lines: [
    { productId: 1, quantity: 1 },
    { productId: 2, quantity: 1 },
  ],
};
const termsProblem = (changes: Partial<DiscountTerms>, now = "2026-06-01T00:00:00.000Z", used = 0) =>
  discountProblem({ terms: { ...terms, ...changes }, used, now: new Date(now), timeZone: newYork }, goods);

describe("the problem of a discount code, with days in the shop's time zone", () => {
  test.each<[string, string | null, string | null]>([
    ["none if it applies", termsProblem({}), null],
    ["none from its first moment on", termsProblem({ startsAt: december }, december), null],
    ["not valid yet", termsProblem({ startsAt: december }), "This discount code is valid from Dec 1, 2026."],
    ["none until its last moment", termsProblem({ endsAt: december }, "2026-12-01T04:59:59.999Z"), null],
    [
      "no longer valid",
      termsProblem({ endsAt: december }, december),
      "This discount code was valid until Nov 30, 2026.",
    ],
    ["used up", termsProblem({ limitTotal: 3 }, december, 3), "This discount code has been used up."],
    ["none with one use left", termsProblem({ limitTotal: 3 }, december, 2), null],
    [
      "below the minimum",
      termsProblem({ minimumSubtotal: 4000 }),
      "This discount code is for orders of $40 or more. Add $10.05 to use it.",
    ],
    ["none at the minimum", termsProblem({ minimumSubtotal: 2995 }), null],
    [
      "for other products",
      termsProblem({ productIds: [3], productNames: ["Big"] }),
      "This discount code is for Big only.",
    ],
    [
      "below the number of its products",
      termsProblem({ productIds: [1, 3], productNames: ["Small", "Big"], minimumUnits: 3 }),
      "This discount code is for 3 or more of Small or Big. Add 2 more to use it.",
    ],
    [
      "below the number of any products",
      termsProblem({ minimumUnits: 3 }),
      "This discount code is for 3 or more items. Add 1 more to use it.",
    ],
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

test("a discount's products and minimum quantity are part of the sentence", () => {
  const say = (changes: Partial<DiscountTerms>) => discountSentence({ ...terms, ...changes }, newYork);
  expect(say({ minimumUnits: 3 })).toBe("10% off orders of 3 items or more.");
  expect(say({ minimumUnits: 3, minimumSubtotal: 4000 })).toBe("10% off orders of 3 items and $40 or more.");
  const sizes = { productIds: [1, 2], productNames: ["Oil, 2 oz", "Oil, 4 oz"] };
  expect(say(sizes)).toBe("10% off Oil, 2 oz and Oil, 4 oz.");
  expect(say({ ...sizes, minimumUnits: 3, firstOrderOnly: true })).toBe(
    "10% off 3 or more of Oil, 2 oz and Oil, 4 oz on your first order.",
  );
  expect(say({ productIds: [1] }), "not published").toBe("10% off some products.");
  expect(say({ productIds: [1], productNames: ["Oil"], kind: "free_shipping", minimumSubtotal: 4000 })).toBe(
    "Free shipping with Oil on orders of $40 or more.",
  );
});

test("a discount's row names the code, even if the code only made shipping free", () => {
  expect(discountLabel({ kind: "amount", value: 450 })).toBe("$4.50 off");
  expect(discountRow("SPRING10", 300)).toEqual(["Discount (SPRING10)", "−$3.00"]);
  expect(discountRow("POST", 0)).toEqual(["Discount (POST)", "Free shipping"]);
  expect(discountRow(null, 0)).toBeNull();
});

test("the state of a code says why it cannot be used", () => {
  const now = new Date("2026-06-01T00:00:00.000Z");
  const state = (changes: Partial<DiscountTerms>, used = 0) =>
    discountState({ ...terms, ...changes, used }, now);
  expect(state({})).toBe("running");
  expect(state({ active: false })).toBe("off");
  expect(state({ startsAt: december })).toBe("upcoming");
  expect(state({ endsAt: "2026-05-01T00:00:00.000Z" })).toBe("ended");
  expect(state({ limitTotal: 2 }, 2)).toBe("used_up");
});
