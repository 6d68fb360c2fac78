import fc from "fast-check";
import { expect, test } from "vitest";
import { computeTotals } from "../checkout/totals.ts";
import { minOrderTotalCents } from "../shared/money.ts";
import { priceWithBestDiscount } from "./best-discount.ts";
import { type DiscountKind, discountKinds } from "./discount.ts";
import { type AutomaticDiscount, meetsConditions } from "./discount-terms.ts";

const discount = fc
  .record({
    kind: fc.constantFrom<DiscountKind>(...discountKinds),
    percent: fc.integer({ min: 1, max: 100 }),
    cents: fc.integer({ min: 1, max: 9_000 }),
    productIds: fc.uniqueArray(fc.integer({ min: 1, max: 3 })),
    minimumSubtotal: fc.constantFrom(0, 0, 4_000),
    minimumUnits: fc.nat(4),
  })
  .map(({ percent, cents, kind, ...conditions }): Omit<AutomaticDiscount, "code"> => {
    const value = kind === "percent" ? percent : kind === "amount" ? cents : 0;
    return { kind, value, ...conditions };
  });
const cart = fc.record({
  goods: fc.record({
    lines: fc.array(
      fc.record({
        productId: fc.integer({ min: 1, max: 3 }),
        price: fc.integer({ min: 0, max: 9_000 }),
        quantity: fc.integer({ min: 1, max: 4 }),
      }),
      { maxLength: 4 },
    ),
    shippingOption: fc.constantFrom(null, {
      id: "standard",
      name: "Standard",
      price: 595,
      freeFrom: 5_000,
      days: [3, 5] as [number, number],
    }),
  }),
  automatic: fc
    .array(discount, { maxLength: 4 })
    .map((all) => all.map((each, index) => ({ code: `Offer ${index}`, ...each }))),
  code: fc.option(discount.map((each) => ({ code: "CODE", ...each }))),
});

test("a cart gets one discount, the one that leaves the least to pay, the earliest on a tie, and a code only if it saves more", () => {
  fc.assert(
    fc.property(cart, ({ goods, automatic, code }) => {
      const { lines } = goods;
      const full = computeTotals(goods);
      const priced = priceWithBestDiscount(goods, { code, automatic });
      const totalWith = (each: AutomaticDiscount) => computeTotals({ ...goods, discount: each }).totals.total;
      const eligible = automatic.filter(
        (each) =>
          meetsConditions(each, { subtotal: full.totals.subtotal, lines }) &&
          totalWith(each) >= minOrderTotalCents &&
          totalWith(each) < full.totals.total,
      );
      const least = Math.min(...eligible.map(totalWith));
      const isCodeBetter = code !== null && totalWith(code) < least;
      const expected = isCodeBetter ? code : eligible.find((each) => totalWith(each) === least);
      expect(priced.discount?.code).toBe((expected ?? code)?.code);
      expect(priced.totals).toEqual(computeTotals({ ...goods, discount: expected ?? code }).totals);
      expect(priced.automatic).toBe(isCodeBetter ? null : (expected ?? null));
      expect(priced.totals.total).toBeLessThanOrEqual(full.totals.total);
    }),
  );
});
