import { beforeEach, expect, test, vi } from "vitest";
import { isStorageUsable, readCart, writeCart } from "./local-cart.ts";

const oil = {
  product: { id: 1, slug: "oil", name: "Oil", price: 2995, currency: "USD", images: [] },
  quantity: 2,
};
const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
  });
  writeCart([]);
  stored.clear();
  return () => vi.unstubAllGlobals();
});

test.each([
  ["no JSON at all", "{[oops"],
  ["another program's", '{"version":3,"items":{"a":1}}'],
  ["lines that are none", '[null, 7, {"product":{"id":"x"}}]'],
])("a stored cart that cannot be read (%s) is set aside, and the next one is kept", (_, text) => {
  stored.set("cart", text);
  expect(readCart()).toEqual([]);
  expect(stored.get("cart-set-aside")).toBe(text);
  expect(JSON.parse(stored.get("cart") ?? "")).toEqual([]);

  stored.set("cart", JSON.stringify([oil]));
  expect(readCart()).toMatchObject([{ product: { id: 1 }, quantity: 2 }]);
});

test("the readable lines of a damaged cart stay, and the whole is set aside", () => {
  const text = JSON.stringify([oil, { product: null }]);
  stored.set("cart", text);
  expect(readCart()).toMatchObject([{ product: { id: 1 }, quantity: 2 }]);
  expect(JSON.parse(stored.get("cart") ?? "")).toHaveLength(1);
  expect(stored.get("cart-set-aside")).toBe(text);
});

test("a cart of the older shop is read with its price in dollars", () => {
  const product = { id: 1, slug: "oil", name: "Oil", price: "29.95", images: ["/a.jpg"] };
  stored.set("cart", JSON.stringify([{ product, quantity: 2 }]));
  expect(readCart()).toMatchObject([{ product: { price: 2995, currency: "USD" }, quantity: 2 }]);
  expect(stored.has("cart-set-aside")).toBe(false);
});

test("storage that is full or forbidden is not asked again for what it cannot have", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => null,
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  });
  writeCart([]);
  expect(isStorageUsable()).toBe(false);
  expect(readCart()).toBeNull();
});
