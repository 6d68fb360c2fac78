import fc from "fast-check";
import { expect, test } from "vitest";
import { type Bundle, bundleChoices, bundleNote, priceUnits, savingOnOneMore } from "./bundles.ts";

const two: Bundle = { quantity: 2, price: 5600 };
const three: Bundle = { quantity: 3, price: 7900 };

const anyBundles = fc.uniqueArray(
  fc.record({ quantity: fc.integer({ min: 2, max: 12 }), price: fc.integer({ min: 1, max: 40_000 }) }),
  { selector: ({ quantity }) => quantity, maxLength: 5 },
);

/** Tries every combination. */
function cheapest(unitPrice: number, quantity: number, bundles: readonly Bundle[]): number {
  const [bundle, ...others] = bundles;
  if (!bundle) return unitPrice * quantity;
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count * bundle.quantity <= quantity; count += 1) {
    const rest = cheapest(unitPrice, quantity - count * bundle.quantity, others);
    least = Math.min(least, count * bundle.price + rest);
  }
  return least;
}

test.each([
  [1, 2995, 0, []],
  [2, 5600, 390, [{ ...two, count: 1 }]],
  [3, 7900, 1085, [{ ...three, count: 1 }]],
  [
    5,
    13_500,
    1475,
    [
      { ...three, count: 1 },
      { ...two, count: 1 },
    ],
  ],
  [4, 7900 + 2995, 1085, [{ ...three, count: 1 }]],
  [9, 23_700, 3255, [{ ...three, count: 3 }]],
])(
  "%i bottles of $29.95 cost %i cents, %i less than bought one by one",
  (quantity, total, saving, bundles) => {
    expect(priceUnits(2995, quantity, [two, three])).toEqual({
      total,
      listTotal: 2995 * quantity,
      saving,
      bundles,
    });
  },
);

test("the cheapest combination of bundles and single units is chosen, whatever the bundles' order", () => {
  fc.assert(
    fc.property(fc.nat(5000), fc.integer({ min: 1, max: 24 }), anyBundles, (price, quantity, bundles) => {
      const line = priceUnits(price, quantity, bundles);
      expect(line.total).toBe(cheapest(price, quantity, bundles));
      expect(priceUnits(price, quantity, bundles.toReversed())).toEqual(line);
    }),
  );
});

test("a bundle that saves nothing is neither applied nor offered", () => {
  const overpriced = { quantity: 2, price: 5990 };
  expect(priceUnits(2995, 4, [overpriced])).toEqual({
    total: 11_980,
    listTotal: 11_980,
    saving: 0,
    bundles: [],
  });
  expect(bundleChoices(2995, [overpriced])).toEqual([]);
  expect(bundleChoices(2995, [])).toEqual([]);
});

test("choices are one bottle and each bundle; the lowest price per bottle is marked as best value", () => {
  expect(bundleChoices(2995, [three, two])).toEqual([
    { quantity: 1, total: 2995, saving: 0, unitPrice: 2995, isBest: false },
    { quantity: 2, total: 5600, saving: 390, unitPrice: 2800, isBest: false },
    { quantity: 3, total: 7900, saving: 1085, unitPrice: 2633, isBest: true },
  ]);
});

test("two choices with the same price per bottle: none is marked as best value", () => {
  const choices = bundleChoices(3000, [
    { quantity: 2, price: 5000 },
    { quantity: 4, price: 10_000 },
  ]);
  expect(choices.map(({ quantity, isBest }) => [quantity, isBest])).toEqual([
    [1, false],
    [2, false],
    [4, false],
  ]);
});

test.each([
  [1, 390],
  [2, 695],
  [3, 0],
  [4, 390],
])("with %i bottles in the cart, one more saves %i cents", (quantity, saving) => {
  expect(savingOnOneMore(2995, quantity, [two, three])).toBe(saving);
});

test("a line's note names the bundles applied", () => {
  const note = (quantity: number) => {
    const { bundles, saving } = priceUnits(2995, quantity, [two, three]);
    return bundleNote(bundles, saving);
  };
  expect(note(1)).toBeNull();
  expect(note(3)).toBe("3 for $79.00, saving $10.85");
  expect(note(8)).toBe("2 × 3 for $79.00 + 2 for $56.00, saving $25.60");
});
