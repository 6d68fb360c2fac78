import fc from "fast-check";
import { expect, test } from "vitest";
import { type PostedEdit, postedCookie, readPosted } from "../../../domain/cart/posted-edits.ts";
import { withAdded, withBuyNow, withoutLine, withQuantity } from "./cart-edits.ts";
import { withLastBuyNow, withPostedEdits } from "./cart-restore.ts";
import { type CartItem, type CartProduct, parseCart, serializeCart } from "./cart-storage.ts";

const product = (id: number): CartProduct => ({
  id,
  slug: `oil-${id}`,
  name: `Oil ${id}`,
  price: 2995,
  bundles: [],
  currency: "USD",
  size: "2 fl oz / 60 ml",
  images: [],
});
const oil = product(1);
const soap = product(2);

type Cart = readonly CartItem[];
const units = (cart: Cart) => Object.fromEntries(cart.map((item) => [item.product.id, item.quantity]));
/** The cart as the next page or another tab reads it. */
const reloaded = (cart: Cart): Cart => parseCart(serializeCart(cart)).items;

test("Buy Now adds once, however often it is pressed without another edit in between", () => {
  const once = withBuyNow([], oil, 2);
  expect(units(once)).toEqual({ 1: 2 });
  expect(units(withBuyNow(reloaded(withBuyNow(reloaded(once), oil, 2)), oil, 2))).toEqual({ 1: 2 });
});

test("Buy Now adds to units that Add to Cart has added", () => {
  const added = withAdded([], oil, 3);
  expect(units(withBuyNow(added, oil, 1))).toEqual({ 1: 4 });
  expect(units(withBuyNow(withBuyNow(added, oil, 1), oil, 1))).toEqual({ 1: 4 });
  expect(units(withBuyNow(withAdded(withBuyNow(added, oil, 1), oil, 1), oil, 1))).toEqual({ 1: 6 });
});

test("another quantity chosen after Back replaces the units of the first Buy Now", () => {
  expect(units(withBuyNow(withBuyNow(withAdded([], oil, 1), oil, 2), oil, 3))).toEqual({ 1: 4 });
});

test.each<[string, (cart: Cart) => Cart]>([
  ["Add to Cart", (cart) => withAdded(cart, soap, 1)],
  ["a quantity", (cart) => withQuantity(cart, 2, 4)],
  ["a removed line", (cart) => withoutLine(cart, 2)],
])("Buy Now adds again after an edit of another product: %s", (_, edit) => {
  const cart = withBuyNow(withAdded([], soap, 1), oil, 1);
  expect(units(withBuyNow(edit(cart), oil, 1))[1]).toBe(2);
});

test("a line stops at its limit, and counts no more Buy Now units than it has units", () => {
  const full = withBuyNow(withAdded([], oil, 98), oil, 5);
  expect(full).toMatchObject([{ quantity: 99, buyNowUnits: 1 }]);
  expect(parseCart(serializeCart([{ product: oil, quantity: 2, buyNowUnits: 7 }])).items).toEqual([
    { product: oil, quantity: 2 },
  ]);
});

const formEdit = fc.oneof(
  fc.record({
    kind: fc.constantFrom("add" as const, "buyNow" as const),
    productId: fc.constantFrom(1, 2),
    quantity: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({
    kind: fc.constant("set" as const),
    productId: fc.constantFrom(1, 2),
    quantity: fc.integer({ min: 0, max: 3 }),
  }),
  fc.record({
    kind: fc.constant("atLeast" as const),
    productId: fc.constantFrom(1, 2),
    quantity: fc.integer({ min: 1, max: 5 }),
  }),
  fc.record({ kind: fc.constant("clear" as const) }),
);

test("edits made by forms without JavaScript are repeated once in the browser's cart, by a short-lived cookie", () => {
  fc.assert(
    fc.property(
      fc.array(formEdit, { maxLength: 60 }),
      fc.integer({ min: 0, max: 3 }),
      (edits, initialUnits) => {
        const start: Cart = initialUnits === 0 ? [] : [{ product: oil, quantity: initialUnits }];
        const serverLines = [oil, soap].map((product) => ({ product, quantity: 1 }));
        let server = start;
        let cookies = "";
        for (const edit of edits) {
          server = withPostedEdits(server, [edit], serverLines);
          const lines = server.map((item) => ({ productId: item.product.id, quantity: item.quantity }));
          cookies = `other=1; ${postedCookie(cookies, [edit], lines, true).split(";")[0]}`;
          expect(cookies.length).toBeLessThan(200);
        }
        expect(units(withPostedEdits(start, readPosted(cookies), server))).toEqual(units(server));
      },
    ),
  );
});

test("a repeated Buy Now adds again after an edit of a product that was removed later", () => {
  const edits: PostedEdit[] = [
    { kind: "buyNow", productId: 1, quantity: 1 },
    { kind: "add", productId: 2, quantity: 1 },
    { kind: "buyNow", productId: 1, quantity: 1 },
    { kind: "set", productId: 2, quantity: 0 },
  ];
  expect(units(withPostedEdits([], edits, [{ product: oil, quantity: 2 }]))).toEqual({ 1: 2 });
});

test("invalid parts of the cookie are ignored", () => {
  expect(readPosted("cart-posts=x1-2.a.a1-x.s1-100.b1-2")).toEqual<PostedEdit[]>([
    { kind: "buyNow", productId: 1, quantity: 2 },
  ]);
  expect(readPosted("not-cart-posts=c")).toEqual([]);
});

test("a cart restored from the server remembers that its last edit was Buy Now", () => {
  const serverLines = [{ product: oil, quantity: 3 }];
  const cart = withLastBuyNow(serverLines, readPosted("cart-posts=a1-2.b1-1"));
  expect(units(withBuyNow(cart, oil, 1))).toEqual({ 1: 3 });
  expect(units(withBuyNow(withLastBuyNow(serverLines, readPosted("cart-posts=b1-1.a1-2")), oil, 1))).toEqual({
    1: 4,
  });
});
