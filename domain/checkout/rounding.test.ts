import fc from "fast-check";
import { expect, test } from "vitest";
import { maxOrderTotalCents } from "../shared/money.ts";
import { applyPercent, multiplyDivideHalfUp, splitProportionally } from "./rounding.ts";

const cents = fc.integer({ min: 0, max: maxOrderTotalCents });
const sum = (parts: readonly number[]) => parts.reduce((total, part) => total + part, 0);

test("the quotient is rounded to the nearest cent, half a cent up", () => {
  fc.assert(
    fc.property(cents, cents, fc.integer({ min: 1, max: 100_000_000 }), (a, b, divisor) => {
      fc.pre((BigInt(a) * BigInt(b)) / BigInt(divisor) < BigInt(Number.MAX_SAFE_INTEGER));
      const result = BigInt(multiplyDivideHalfUp(a, b, divisor));
      const doubled = 2n * BigInt(a) * BigInt(b);
      expect((2n * result - 1n) * BigInt(divisor)).toBeLessThanOrEqual(doubled);
      expect((2n * result + 1n) * BigInt(divisor)).toBeGreaterThan(doubled);
    }),
  );
});

test.each([
  [2995, 8.25, 247],
  [2995, 8.875, 266],
  [1, 50, 1],
  [1, 49.999, 0],
  [10, 5, 1],
  [2995, 0, 0],
  [2995, 100, 2995],
])("of %i cents, %d percent are %i cents", (amount, percent, part) => {
  expect(applyPercent(amount, percent)).toBe(part);
});

test("percentages that have no exact binary fraction are applied exactly", () => {
  // In floating point 1.005 * 100 is 100.49999999999999, which would lose a cent.
  expect(applyPercent(10_000, 1.005)).toBe(101);
});

const weights = fc.array(cents, { maxLength: 50 });

test("the parts of a split add up, each less than a cent from its exact share", () => {
  fc.assert(
    fc.property(cents, weights, (amount, shares) => {
      const whole = sum(shares);
      fc.pre(whole > 0);
      const parts = splitProportionally(amount, shares);
      expect(sum(parts)).toBe(amount);
      for (const [index, share] of shares.entries()) {
        const error = BigInt(parts[index] ?? 0) * BigInt(whole) - BigInt(amount) * BigInt(share);
        expect(error > -BigInt(whole) && error < BigInt(whole)).toBe(true);
      }
    }),
  );
});

test("no part is negative or, if the amount does not exceed the weights' sum, larger than its weight", () => {
  fc.assert(
    fc.property(cents, weights, (amount, shares) => {
      const parts = splitProportionally(Math.min(amount, sum(shares)), shares);
      expect(parts).toHaveLength(shares.length);
      expect(parts.every((part, index) => part >= 0 && part <= (shares[index] ?? 0))).toBe(true);
    }),
  );
});

test("an indivisible cent is assigned to the largest remainder, then to the earlier part", () => {
  expect(splitProportionally(100, [1, 1, 1])).toEqual([34, 33, 33]);
  expect(splitProportionally(10, [1, 2])).toEqual([3, 7]);
  expect(splitProportionally(1, [2995, 2995])).toEqual([1, 0]);
});

test("all parts are zero if all weights are", () => {
  expect(splitProportionally(500, [0, 0])).toEqual([0, 0]);
  expect(splitProportionally(500, [])).toEqual([]);
});
