import fc from "fast-check";
import { expect, test } from "vitest";
import { cartLinesMax } from "../../../domain/cart/cart-limits.ts";
import { type CartItem, parseCart, serializeCart } from "./cart-storage.ts";
import { lineProblem } from "./line-problem.ts";

const oil: CartItem = {
  product: {
    id: 1,
    slug: "pure-batana-oil",
    name: "Pure Batana Oil",
    price: 2995,
    bundles: [{ quantity: 3, price: 7900 }],
    currency: "USD",
    size: "2 fl oz / 60 ml",
    images: [
      {
        url: "/images/a.jpg",
        alt: "Bottle",
        width: 800,
        height: 800,
        srcset: { avif: "a 480w", webp: "b 480w" },
      },
    ],
  },
  quantity: 2,
};

test("a cart that was written is read back as it was, without what could be had at that time", () => {
  const other = { ...oil, product: { ...oil.product, id: 2 } };
  expect(parseCart(serializeCart([oil, { ...other, available: 0 }]))).toEqual({
    items: [oil, other],
    complete: true,
  });
});

test("a cart that an older page stored as sold out claims nothing", () => {
  const stored = [{ ...oil, product: { ...oil.product, inStock: false, stock: 0 }, gone: true }];
  expect(parseCart(JSON.stringify(stored)).items).toEqual([oil]);
});

test.each([
  [29.95, 2995],
  ["29.95", 2995],
  [2995, 2995],
  ["2995", 2995],
])("an older cart's price %s without a currency is %i cents", (price, cents) => {
  const stored = [{ product: { id: 1, slug: "oil", name: "Oil", price, images: ["/a.jpg"] }, quantity: 1 }];
  const { items, complete } = parseCart(JSON.stringify(stored));
  expect(items[0]?.product).toMatchObject({ price: cents, currency: "USD", images: [] });
  expect(complete).toBe(true);
});

test("a price in our currency under 100 stays cents", () => {
  const stored = [{ ...oil, product: { ...oil.product, price: 95 } }];
  expect(parseCart(JSON.stringify(stored)).items[0]?.product.price).toBe(95);
});

test.each([
  ["broken JSON", "{"],
  ["an empty text", ""],
  ["a foreign object", '{"items":[]}'],
  ["a number", "7"],
])("%s is an empty cart to be set aside", (_, text) => {
  expect(parseCart(text)).toEqual({ items: [], complete: false });
});

test("lines that make no sense are left out, the others kept", () => {
  const stored = [null, 5, { product: null }, { ...oil, product: { ...oil.product, id: "x" } }, oil];
  expect(parseCart(JSON.stringify(stored))).toEqual({ items: [oil], complete: false });
});

test.each([
  [0, 1],
  [-4, 1],
  [2.9, 2],
  ["7", 7],
  [1000, 99],
  ["many", 1],
  [null, 1],
])("a stored quantity of %s counts as %i", (quantity, units) => {
  expect(parseCart(JSON.stringify([{ ...oil, quantity }])).items[0]?.quantity).toBe(units);
});

test("more lines than a cart may hold are cut off", () => {
  const stored = Array.from({ length: cartLinesMax + 5 }, (_, id) => ({
    ...oil,
    product: { ...oil.product, id: id + 1 },
  }));
  const { items, complete } = parseCart(JSON.stringify(stored));
  expect(items).toHaveLength(cartLinesMax);
  expect(complete).toBe(false);
});

test("whatever is stored, reading it never throws and gives prices in whole cents", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.string(),
        fc
          .array(fc.record({ product: fc.object(), quantity: fc.anything() }))
          .map((list) => JSON.stringify(list) ?? ""),
      ),
      (text) => {
        for (const { product, quantity } of parseCart(text).items) {
          expect(Number.isInteger(product.price)).toBe(true);
          expect(quantity).toBeGreaterThanOrEqual(1);
          expect(quantity).toBeLessThanOrEqual(99);
        }
      },
    ),
  );
});

test.each([
  ["its product is gone", null, { text: "No longer available", buyable: 0 }],
  ["it is sold out", 0, { text: "Sold out", buyable: 0 }],
  ["fewer are left", 1, { text: "Only 1 left", buyable: 1 }],
  ["exactly enough are left", 2, null],
])("a line says when %s", (_, available, problem) => {
  expect(lineProblem({ ...oil, available })).toEqual(problem);
});

test("a line of which nothing is known says nothing", () => {
  expect(lineProblem(oil)).toBeNull();
});
