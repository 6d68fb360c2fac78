import fc from "fast-check";
import { expect, test } from "vitest";
import { accounts, type LedgerEvent, linesOf } from "../books/ledger.ts";
import type { Discount } from "../discounts/discount.ts";
import {
  lineWishProblems,
  type Refundable,
  refundByAmount,
  refundByLines,
  shippingLeft,
} from "../orders/line-refund.ts";
import { givenCents, proceedsCents } from "../sales/giving.ts";
import type { ShippingOption } from "../shipping/shipping-policy.ts";
import { orderAmounts, shownTotals } from "./included-tax.ts";
import type { TaxRate } from "./tax.ts";
import { computeTotals, type PricedLine } from "./totals.ts";

const standard: ShippingOption = {
  id: "us-standard",
  name: "Standard",
  price: 595,
  freeFrom: 5000,
  days: [3, 5],
};
const texas: TaxRate = { country: "US", state: "TX", percent: 8.25, onShipping: true };
const bottle: PricedLine = { price: 2995, quantity: 1 };

const anyCart = fc.record({
  lines: fc.array(
    fc.record({
      price: fc.integer({ min: 0, max: 1_000_000 }),
      quantity: fc.integer({ min: 1, max: 99 }),
      bundles: fc.uniqueArray(
        fc.record({
          quantity: fc.integer({ min: 2, max: 12 }),
          price: fc.integer({ min: 1, max: 8_000_000 }),
        }),
        { selector: ({ quantity }) => quantity, maxLength: 4 },
      ),
    }),
    { maxLength: 20 },
  ),
  shippingOption: fc.option(
    fc.record({
      id: fc.constant("standard"),
      name: fc.constant("Standard"),
      price: fc.nat(10_000),
      freeFrom: fc.option(fc.nat(1_000_000)),
      days: fc.constant<[number, number]>([3, 5]),
    }),
  ),
  discount: fc.option(
    fc.oneof(
      fc.record({ code: fc.constant("A"), kind: fc.constant("percent" as const), value: fc.nat(100) }),
      fc.record({ code: fc.constant("B"), kind: fc.constant("amount" as const), value: fc.nat(9_999_999) }),
      fc.record({
        code: fc.constant("C"),
        kind: fc.constant("free_shipping" as const),
        value: fc.constant(0),
      }),
    ),
  ),
  taxRate: fc.option(
    fc.record(
      {
        country: fc.constant("US"),
        state: fc.constant(null),
        percent: fc.nat(100_000).map((thousandths) => thousandths / 1000),
        onShipping: fc.boolean(),
        included: fc.constant("VAT"),
      },
      { requiredKeys: ["country", "state", "percent", "onShipping"] },
    ),
  ),
});

test("the parts of every total add up, in whole cents that are never negative", () => {
  fc.assert(
    fc.property(anyCart, (cart) => {
      const { totals } = computeTotals(cart);
      const { subtotal, discount, shipping, tax, total } = totals;
      expect(total).toBe(subtotal - discount + shipping + (totals.taxIncluded ? 0 : tax));
      expect(Boolean(totals.taxIncluded)).toBe(tax > 0 && cart.taxRate?.included !== undefined);
      for (const amount of [subtotal, discount, shipping, tax, total]) {
        expect(Number.isSafeInteger(amount) && amount >= 0).toBe(true);
      }
    }),
  );
});

test("the lines account for every cent of goods and discount, and none is discounted below nothing", () => {
  fc.assert(
    fc.property(anyCart, (cart) => {
      const { lines, totals } = computeTotals(cart);
      expect(lines.reduce((sum, line) => sum + line.total, 0)).toBe(totals.subtotal);
      expect(lines.reduce((sum, line) => sum + line.discount, 0)).toBe(totals.discount);
      expect(lines.every((line) => line.discount >= 0 && line.discount <= line.total)).toBe(true);
    }),
  );
});

test("tax is each discounted line's, and shipping's where the rate says so, each rounded half up once", () => {
  fc.assert(
    fc.property(anyCart, (cart) => {
      const { lines, totals } = computeTotals(cart);
      const thousandths = BigInt(Math.round((cart.taxRate?.percent ?? 0) * 1000));
      const whole = cart.taxRate?.included ? 100_000n + thousandths : 100_000n;
      const halfUp = (amount: number) => Number((2n * BigInt(amount) * thousandths + whole) / (2n * whole));
      const lineTaxes = lines.map((line) => halfUp(line.total - line.discount));
      expect(lines.map((line) => line.tax)).toEqual(lineTaxes);
      const shippingTax = cart.taxRate?.onShipping ? halfUp(totals.shipping) : 0;
      expect(totals.tax).toBe(lineTaxes.reduce((sum, tax) => sum + tax, shippingTax));
    }),
  );
});

test("what is written down is before tax, adds up in one form, and comes back as it was shown", () => {
  fc.assert(
    fc.property(anyCart, (cart) => {
      const priced = computeTotals(cart);
      const { totals, lines } = priced;
      const amounts = orderAmounts(priced, cart.taxRate);
      const { subtotalCents, discountCents, shippingCents, taxCents, totalCents, withTax } = amounts;
      expect(totalCents).toBe(subtotalCents - discountCents + shippingCents + taxCents);
      expect(Math.min(subtotalCents, discountCents, shippingCents, taxCents)).toBeGreaterThanOrEqual(0);
      expect(discountCents).toBeLessThanOrEqual(subtotalCents);
      expect(shownTotals({ ...amounts, currency: totals.currency })).toEqual(totals);
      if (withTax) expect(withTax.subtotal - withTax.discount + withTax.shipping).toBe(totalCents);
      const goodsTax = lines.reduce((sum, { tax }) => sum + tax, 0);
      const shown = totals.subtotal - totals.discount;
      expect(subtotalCents - discountCents).toBe(totals.taxIncluded ? shown - goodsTax : shown);
      expect(proceedsCents({ totals: { ...totals, refunded: 0, chargedBack: 0 }, cancelledAt: null })).toBe(
        totalCents === 0 ? 0 : subtotalCents - discountCents,
      );
    }),
  );
});

test.each<[percent: number, onShipping: boolean, expected: object]>([
  [19, true, { subtotal: 2995, shipping: 595, tax: 478 + 95, total: 3590 }],
  [19, false, { subtotal: 2995, shipping: 595, tax: 478, total: 3590 }],
  [0, true, { subtotal: 2995, shipping: 595, tax: 0, total: 3590 }],
])(
  "where prices include %s percent (of shipping: %s) a bottle costs what it says",
  (percent, onShipping, expected) => {
    const taxRate = { country: "DE", state: null, percent, onShipping, included: "VAT" };
    const { totals } = computeTotals({ lines: [bottle], shippingOption: standard, taxRate });
    expect(totals).toMatchObject(expected);
  },
);

test("bundles are what is missing between prices and subtotal, and make no line dearer", () => {
  fc.assert(
    fc.property(anyCart, (cart) => {
      const { lines, totals } = computeTotals(cart);
      const list = cart.lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
      expect(lines.reduce((sum, line) => sum + line.saving, totals.subtotal)).toBe(list);
      for (const [index, line] of lines.entries()) {
        const { price = 0, quantity = 0 } = cart.lines[index] ?? {};
        const inBundles = line.bundles.reduce((sum, { quantity, count }) => sum + quantity * count, 0);
        const bundled = line.bundles.reduce((sum, { price, count }) => sum + price * count, 0);
        expect(line.saving).toBeGreaterThanOrEqual(0);
        expect(line.total).toBe(bundled + price * (quantity - inBundles));
      }
    }),
  );
});

test("what is refunded bit by bit never leaves less than nothing of the proceeds, nor more than the goods", () => {
  fc.assert(
    fc.property(
      anyCart,
      fc.array(fc.integer({ min: 1, max: 1_000_000 })),
      fc.nat(100),
      (cart, asked, share) => {
        const { totals } = computeTotals(cart);
        const order = { totals: { ...totals, refunded: 0, chargedBack: 0 }, cancelledAt: null };
        let given = givenCents({ ...order, givingPercent: share });
        for (const cents of asked) {
          const { refunded } = order.totals;
          order.totals.refunded = Math.min(totals.total, refunded + cents);
          const proceeds = proceedsCents(order);
          expect(proceeds).toBeGreaterThanOrEqual(0);
          expect(proceeds).toBeLessThanOrEqual(totals.subtotal - totals.discount);
          if (order.totals.refunded === totals.total) expect(proceeds).toBe(0);
          const left = givenCents({ ...order, givingPercent: share });
          expect(left).toBeLessThanOrEqual(given);
          given = left;
        }
      },
    ),
  );
});

test("an order refunded line by line, in any steps and with amounts in between, comes back to the cent", () => {
  fc.assert(
    fc.property(anyCart, fc.infiniteStream(fc.nat(99)), (cart, numbers) => {
      const next = (max: number) => numbers.next().value % (max + 1);
      const priced = computeTotals(cart);
      const { totals, lines } = priced;
      const { taxIncluded } = totals;
      const amounts = orderAmounts(priced, cart.taxRate);
      const left: Refundable = {
        goods: amounts.subtotalCents - amounts.discountCents,
        shipping: amounts.shippingCents,
        tax: totals.tax,
        lines: lines.map(({ total, discount, tax }, index) => ({
          productId: index,
          units: cart.lines[index]?.quantity ?? 1,
          goods: total - discount - (taxIncluded ? tax : 0),
          tax,
        })),
        ...(taxIncluded && { taxIncluded: taxIncluded.name }),
      };
      const whole = left.goods + left.shipping + left.tax;
      const terms = {
        place: "",
        given: 0,
        givenChange: 0,
        isOutside: false,
        exchanged: 0,
        isExchange: false,
      };
      const { subtotalCents: gross, discountCents, shippingCents } = amounts;
      const books = new Map<string, number>();
      const book = (event: LedgerEvent) => {
        for (const { account, debit, credit } of linesOf(event))
          books.set(account, (books.get(account) ?? 0) + debit - credit);
        expect([...books.values()].reduce((sum, cents) => sum + cents, 0)).toBe(0);
      };
      book({
        kind: "sale",
        gross,
        discount: discountCents,
        shipping: shippingCents,
        tax: totals.tax,
        ...terms,
      });
      let given = 0;
      for (let step = 0; step < 6; step += 1) {
        const isLast = step === 5;
        const items = left.lines.map(({ productId, units }) => ({
          productId,
          quantity: isLast ? units : next(units),
        }));
        const shippingMax = shippingLeft(left);
        const wish = { items, shipping: isLast ? shippingMax : Math.floor((shippingMax * next(2)) / 2) };
        expect(lineWishProblems(left, wish)).toEqual({});
        const split = refundByLines(left, wish);
        expect(split.amount).toBe(split.goods + split.shipping + split.tax);
        for (const cents of [split.goods, split.shipping, split.tax]) expect(cents).toBeGreaterThanOrEqual(0);
        given += split.amount;
        book({ kind: "refund", ...split, ...terms });
        left.goods -= split.goods;
        left.shipping -= split.shipping;
        left.tax -= split.tax;
        for (const { productId, quantity, goodsCents, taxCents } of split.lines) {
          const line = left.lines[productId];
          if (!line) throw new Error("a line that was not there");
          line.units -= quantity;
          line.goods -= goodsCents;
          line.tax -= taxCents;
          for (const rest of [line.goods, line.tax]) expect(rest).toBeGreaterThanOrEqual(0);
        }
        // Something given back without naming units, as a bank or an owner does.
        const rest = left.goods + left.shipping + left.tax;
        const cents = isLast ? 0 : Math.min(rest, next(500));
        const { goods, shipping, tax } = refundByAmount(left, cents);
        given += cents;
        book({ kind: "refund", goods, shipping, tax, ...terms });
        left.goods -= goods;
        left.shipping -= shipping;
        left.tax -= tax;
        for (const part of [left.goods, left.shipping, left.tax]) expect(part).toBeGreaterThanOrEqual(0);
        const [goodsShare, exact] = [goods * rest, cents * (left.goods + goods)];
        expect(Math.abs(goodsShare - exact)).toBeLessThanOrEqual(rest);
      }
      expect([left.goods, left.shipping, left.tax]).toEqual([0, 0, 0]);
      expect(given).toBe(whole);
      expect(given).toBe(totals.total);
      const on = (...names: (keyof typeof accounts)[]) =>
        names.reduce((sum, name) => sum + (books.get(accounts[name]) ?? 0), 0);
      expect([on("receivable"), on("tax"), on("shipping", "refundedShipping")]).toEqual([0, 0, 0]);
      expect(on("sales", "discounts", "refunds")).toBe(0);
      expect(lineWishProblems(left, { items: [{ productId: 0, quantity: 1 }], shipping: 1 })).toEqual({
        "items.0.quantity": "Nothing of this product is left to refund",
        shipping: "That is more than is left of the shipping",
      });
    }),
  );
});

test("what is given back beyond all that is left counts as goods", () => {
  const left = { goods: 1000, shipping: 0, tax: 200 };
  expect(refundByAmount(left, 1000)).toMatchObject({ goods: 833, tax: 167 });
  expect(refundByAmount(left, 1200)).toMatchObject({ goods: 1000, tax: 200 });
  expect(refundByAmount(left, 1500)).toMatchObject({ goods: 1300, tax: 200 });
});

test("a unit's refund is its share of its line, whatever else is left", () => {
  const line = { productId: 1, units: 3, goods: 100, tax: 10 };
  const order = { goods: 100, shipping: 595, tax: 10, lines: [line] };
  expect(refundByLines(order, { items: [{ productId: 1, quantity: 1 }], shipping: 0 })).toEqual({
    amount: 36,
    goods: 33,
    shipping: 0,
    tax: 3,
    lines: [{ productId: 1, quantity: 1, goodsCents: 33, taxCents: 3 }],
  });
});

test("where prices include the tax, a unit and its shipping come back at what they were sold for", () => {
  const line = { productId: 1, units: 3, goods: 7550, tax: 1435 };
  const order = { goods: 7550, shipping: 500, tax: 1530, lines: [line], taxIncluded: "VAT" };
  expect(refundByLines(order, { items: [{ productId: 1, quantity: 1 }], shipping: 595 })).toEqual({
    amount: 2995 + 595,
    goods: 2517,
    shipping: 500,
    tax: 478 + 95,
    lines: [{ productId: 1, quantity: 1, goodsCents: 2517, taxCents: 478 }],
  });
  expect(lineWishProblems(order, { items: [], shipping: 596 })).toHaveProperty("shipping");
});

test("no discount makes an order dearer", () => {
  fc.assert(
    fc.property(anyCart, (cart) => {
      const undiscounted = computeTotals({ ...cart, discount: null }).totals.total;
      expect(computeTotals(cart).totals.total).toBeLessThanOrEqual(undiscounted);
    }),
  );
});

test("one bottle sent by Standard comes to $35.90", () => {
  expect(computeTotals({ lines: [bottle], shippingOption: standard }).totals).toEqual({
    subtotal: 2995,
    discount: 0,
    shipping: 595,
    tax: 0,
    total: 3590,
    currency: "USD",
  });
});

test.each<[Discount, number, number]>([
  [{ code: "TEN", kind: "percent", value: 10 }, 300, 595],
  [{ code: "FIVE", kind: "amount", value: 500 }, 500, 595],
  [{ code: "ALL", kind: "amount", value: 9999 }, 2995, 595],
  [{ code: "SHIP", kind: "free_shipping", value: 0 }, 0, 0],
])("the code of %o takes %i off the goods and leaves %i of shipping", (discount, off, shipping) => {
  const { totals } = computeTotals({ lines: [bottle], shippingOption: standard, discount });
  expect(totals).toMatchObject({ discount: off, shipping, total: 2995 - off + shipping });
});

test("free shipping is reached by the goods' price before the discount", () => {
  const discount: Discount = { code: "TEN", kind: "percent", value: 50 };
  const lines = [{ ...bottle, quantity: 2 }];
  expect(computeTotals({ lines, shippingOption: standard, discount }).totals.shipping).toBe(0);
});

test("bundles come before everything else: threshold, code and tax look at what is left", () => {
  const lines = [{ ...bottle, quantity: 2, bundles: [{ quantity: 2, price: 4990 }] }];
  const discount: Discount = { code: "TEN", kind: "percent", value: 10 };
  const { totals } = computeTotals({ lines, shippingOption: standard, discount, taxRate: texas });
  // $49.90 is below the $50 that ship free, although the list price of both is not.
  expect(totals).toEqual({
    subtotal: 4990,
    discount: 499,
    shipping: 595,
    tax: 371 + 49,
    total: 4990 - 499 + 595 + 420,
    currency: "USD",
  });
});

test("tax applies to what is left after the discount", () => {
  const discount: Discount = { code: "HALF", kind: "percent", value: 50 };
  const { totals } = computeTotals({
    lines: [{ price: 2000, quantity: 1 }],
    shippingOption: null,
    discount,
    taxRate: { ...texas, percent: 10 },
  });
  expect(totals).toMatchObject({ discount: 1000, tax: 100, total: 1100 });
});

test("half cents are rounded per line, not per order", () => {
  const dime = { price: 10, quantity: 1 };
  const taxRate = { ...texas, percent: 5 };
  expect(computeTotals({ lines: [dime, dime], shippingOption: null, taxRate }).totals.tax).toBe(2);
  expect(computeTotals({ lines: [{ ...dime, quantity: 2 }], shippingOption: null, taxRate }).totals.tax).toBe(
    1,
  );
});

test("shipping is taxed only where the rate says so", () => {
  const input = { lines: [bottle], shippingOption: standard };
  expect(computeTotals({ ...input, taxRate: texas }).totals.tax).toBe(247 + 49);
  expect(computeTotals({ ...input, taxRate: { ...texas, onShipping: false } }).totals.tax).toBe(247);
});

test("an empty cart costs nothing, shipping included", () => {
  expect(computeTotals({ lines: [], shippingOption: standard, taxRate: texas }).totals.total).toBe(0);
});
