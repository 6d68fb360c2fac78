import { expect, test } from "vitest";
import type { Quote } from "../../../../domain/cart/cart.ts";
import { sheetPrice, walletRefusal } from "./wallet-purchase.ts";

const line = {
  productId: 1,
  slug: "oil",
  name: "Oil",
  image: null,
  price: 2995,
  quantity: 2,
  total: 5500,
  listTotal: 5990,
  bundleSaving: 490,
  bundles: [],
  bundleOffers: [],
  available: 10,
};
const option = { price: 595, freeFrom: null, days: [3, 5] as [number, number], arrival: null };
const quote: Quote = {
  items: [line],
  totals: { subtotal: 5500, discount: 550, shipping: 1495, tax: 330, total: 6775, currency: "USD" },
  shippingOptions: [
    { ...option, id: "slow", name: "Slow", cost: 595 },
    { ...option, id: "quick", name: "Quick", cost: 1495 },
  ],
  shippingOption: "quick",
  discount: { code: "TEN", kind: "percent", value: 10, label: "10% off" },
  discountProblem: null,
};
const items = [{ productId: 1, quantity: 2 }];

test("the lines of a wallet's payment sheet, with bundle, discount and tax, add up to its amount", () => {
  const { amount, lines } = sheetPrice(quote);
  expect(lines).toEqual([
    { name: "Oil × 2", amount: 5500 },
    { name: "Discount TEN", amount: -550 },
    { name: "Shipping", amount: 1495 },
    { name: "Tax", amount: 330 },
  ]);
  expect(lines.reduce((sum, each) => sum + each.amount, 0)).toBe(amount);
});

test("the chosen shipping rate is listed first, because a wallet preselects the first", () => {
  expect(sheetPrice(quote).rates.map(({ id, amount }) => [id, amount])).toEqual([
    ["quick", 1495],
    ["slow", 595],
  ]);
});

test("a quote that can be paid has no problem", () => {
  expect(walletRefusal({ items }, quote, "US")).toBeNull();
});

test.each([
  ["gone", { items: [] }, "US", "fail", "This product is no longer sold."],
  ["sold out", { items: [{ ...line, available: 0 }] }, "US", "fail", "Oil is sold out."],
  ["nearly sold out", { items: [{ ...line, available: 1 }] }, "US", "fail", "Only 1 of Oil left."],
  ["not shipped there", { shippingOption: null }, "DE", "unserviceable", "We don’t ship to Germany."],
])("a quote that cannot be paid states the reason: %s", (_, changes, country, reason, message) => {
  expect(walletRefusal({ items }, { ...quote, ...changes }, country)).toEqual({ ok: false, reason, message });
});
