import fc from "fast-check";
import { beforeEach, expect, test, vi } from "vitest";
import { maxCartLines } from "../../../domain/cart/cart-limits.ts";
import { lineProblem } from "./cart-line.tsx";
import { type CartItem, parseCart, readCart, serializeCart, writeCart } from "./cart-storage.ts";

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

test("a written cart is read back unchanged, without the units that were available at that time", () => {
  const other = { ...oil, product: { ...oil.product, id: 2 } };
  expect(parseCart(serializeCart([oil, { ...other, available: 0 }]))).toEqual({
    items: [oil, other],
    complete: true,
  });
});

test("stock figures that an older page stored with the cart are ignored", () => {
  const storedLines = [{ ...oil, product: { ...oil.product, inStock: false, stock: 0 }, gone: true }];
  expect(parseCart(JSON.stringify(storedLines)).items).toEqual([oil]);
});

test.each([
  [29.95, 2995],
  ["29.95", 2995],
  [2995, 2995],
  ["2995", 2995],
])("an older cart's price %s without a currency is %i cents", (price, cents) => {
  const storedLines = [
    { product: { id: 1, slug: "oil", name: "Oil", price, images: ["/a.jpg"] }, quantity: 1 },
  ];
  const { items, complete } = parseCart(JSON.stringify(storedLines));
  expect(items[0]?.product).toMatchObject({ price: cents, currency: "USD", images: [] });
  expect(complete).toBe(true);
});

test("a stored price under 100 that has a currency is read as cents", () => {
  const storedLines = [{ ...oil, product: { ...oil.product, price: 95 } }];
  expect(parseCart(JSON.stringify(storedLines)).items[0]?.product.price).toBe(95);
});

test.each([
  ["broken JSON", "{"],
  ["an empty text", ""],
  ["a foreign object", '{"items":[]}'],
  ["a number", "7"],
])("%s is read as an empty, incomplete cart", (_, text) => {
  expect(parseCart(text)).toEqual({ items: [], complete: false });
});

test("invalid lines are dropped, and the others are kept", () => {
  const storedLines = [null, 5, { product: null }, { ...oil, product: { ...oil.product, id: "x" } }, oil];
  expect(parseCart(JSON.stringify(storedLines))).toEqual({ items: [oil], complete: false });
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

test("lines beyond the maximum of a cart are dropped", () => {
  const storedLines = Array.from({ length: maxCartLines + 5 }, (_, id) => ({
    ...oil,
    product: { ...oil.product, id: id + 1 },
  }));
  const { items, complete } = parseCart(JSON.stringify(storedLines));
  expect(items).toHaveLength(maxCartLines);
  expect(complete).toBe(false);
});

test("reading any stored text never throws, and returns prices in whole cents", () => {
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
])("a cart line explains that %s", (_, available, problem) => {
  expect(lineProblem({ ...oil, available })).toEqual(problem);
});

test("a line whose availability is unknown shows no problem", () => {
  expect(lineProblem(oil)).toBeNull();
});

const storedLine = {
  product: { id: 1, slug: "oil", name: "Oil", price: 2995, currency: "USD", images: [] },
  quantity: 2,
};
const storage = new Map<string, string>();

beforeEach(() => {
  storage.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, text: string) => storage.set(key, text),
  });
  writeCart([]);
  storage.clear();
  return () => vi.unstubAllGlobals();
});

test.each([
  ["not JSON", "{[oops"],
  ["of another program", '{"version":3,"items":{"a":1}}'],
  ["no valid line", '[null, 7, {"product":{"id":"x"}}]'],
])("a stored cart that cannot be read (%s) is set aside, and the next one is kept", (_, text) => {
  storage.set("cart", text);
  expect(readCart()).toEqual([]);
  expect(storage.get("cart-set-aside")).toBe(text);
  expect(JSON.parse(storage.get("cart") ?? "")).toEqual([]);

  storage.set("cart", JSON.stringify([storedLine]));
  expect(readCart()).toMatchObject([{ product: { id: 1 }, quantity: 2 }]);
});

test("the readable lines of a damaged cart are kept, and its whole text is stored separately", () => {
  const text = JSON.stringify([storedLine, { product: null }]);
  storage.set("cart", text);
  expect(readCart()).toMatchObject([{ product: { id: 1 }, quantity: 2 }]);
  expect(JSON.parse(storage.get("cart") ?? "")).toHaveLength(1);
  expect(storage.get("cart-set-aside")).toBe(text);
});

test("a cart stored by the shop's former software is read with its price in dollars", () => {
  const product = { id: 1, slug: "oil", name: "Oil", price: "29.95", images: ["/a.jpg"] };
  storage.set("cart", JSON.stringify([{ product, quantity: 2 }]));
  expect(readCart()).toMatchObject([{ product: { price: 2995, currency: "USD" }, quantity: 2 }]);
  expect(storage.has("cart-set-aside")).toBe(false);
});

test("browser storage that is full or blocked counts as unusable, and is not read", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => null,
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  });
  writeCart([]);
  expect(readCart()).toBeUndefined();
});
