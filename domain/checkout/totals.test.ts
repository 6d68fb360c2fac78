import fc from "fast-check";
import { expect, test } from "vitest";
import { accounts, type LedgerEvent, ledgerLines } from "../books/ledger.ts";
import { type Discount, isDiscounted } from "../discounts/discount.ts";
import {
  type Refundable,
  refundByAmount,
  refundByLines,
  requestedLinesProblems,
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
      productId: fc.integer({ min: 1, max: 4 }),
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
      fc.record({
        code: fc.constant("B"),
        kind: fc.constant("amount" as const),
        value: fc.nat(9_999_999),
        productIds: fc.uniqueArray(fc.integer({ min: 1, max: 4 })),
      }),
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

test("the parts of every total add up in whole cents and are never negative", () => {
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

test("the lines add up to goods and discount, and no line's discount exceeds it", () => {
  fc.assert(
    fc.property(anyCart, (cart) => {
      const { lines, totals } = computeTotals(cart);
      const discount: Discount | null = cart.discount;
      expect(lines.reduce((sum, line) => sum + line.total, 0)).toBe(totals.subtotal);
      expect(lines.reduce((sum, line) => sum + line.discount, 0)).toBe(totals.discount);
      expect(lines.every((line) => line.discount >= 0 && line.discount <= line.total)).toBe(true);
      for (const [index, line] of lines.entries()) {
        const { productId } = cart.lines[index] ?? {};
        if (!discount || !isDiscounted(discount, productId)) expect(line.discount).toBe(0);
      }
    }),
  );
});

test("tax is the sum over discounted lines and taxed shipping, each rounded half up once", () => {
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

test("stored amounts are before tax, add up, and convert back to the totals shown", () => {
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
      const goodsCents = totals.subtotal - totals.discount;
      expect(subtotalCents - discountCents).toBe(totals.taxIncluded ? goodsCents - goodsTax : goodsCents);
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
  "with %s percent included in prices (in shipping: %s), a bottle costs its listed price",
  (percent, onShipping, expected) => {
    const taxRate = { country: "DE", state: null, percent, onShipping, included: "VAT" };
    const { totals } = computeTotals({ lines: [bottle], shippingOption: standard, taxRate });
    expect(totals).toMatchObject(expected);
  },
);

test("the subtotal is the list price less the bundles' saving, which is never negative", () => {
  fc.assert(
    fc.property(anyCart, (cart) => {
      const { lines, totals } = computeTotals(cart);
      const listTotal = cart.lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
      expect(lines.reduce((sum, line) => sum + line.saving, totals.subtotal)).toBe(listTotal);
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

test("proceeds stay between zero and the goods' price through partial refunds", () => {
  fc.assert(
    fc.property(
      anyCart,
      fc.array(fc.integer({ min: 1, max: 1_000_000 })),
      fc.nat(100),
      (cart, refunds, share) => {
        const { totals } = computeTotals(cart);
        const order = { totals: { ...totals, refunded: 0, chargedBack: 0 }, cancelledAt: null };
        let toDonate = givenCents({ ...order, givingPercent: share });
        for (const cents of refunds) {
          const { refunded } = order.totals;
          order.totals.refunded = Math.min(totals.total, refunded + cents);
          const proceeds = proceedsCents(order);
          expect(proceeds).toBeGreaterThanOrEqual(0);
          expect(proceeds).toBeLessThanOrEqual(totals.subtotal - totals.discount);
          if (order.totals.refunded === totals.total) expect(proceeds).toBe(0);
          const remaining = givenCents({ ...order, givingPercent: share });
          expect(remaining).toBeLessThanOrEqual(toDonate);
          toDonate = remaining;
        }
      },
    ),
  );
});

test("refunds by line and by amount, in any sequence, add up to the cent", () => {
  fc.assert(
    fc.property(anyCart, fc.infiniteStream(fc.nat(99)), (cart, numbers) => {
      const numberUpTo = (max: number) => numbers.next().value % (max + 1);
      const priced = computeTotals(cart);
      const { totals, lines } = priced;
      const { taxIncluded } = totals;
      const amounts = orderAmounts(priced, cart.taxRate);
      const remaining: Refundable = {
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
      const paid = remaining.goods + remaining.shipping + remaining.tax;
      const terms = {
        taxPlace: "",
        toDonate: 0,
        toDonateChange: 0,
        isOutside: false,
        exchanged: 0,
        isExchange: false,
      };
      const { subtotalCents: gross, discountCents, shippingCents } = amounts;
      const balances = new Map<string, number>();
      const book = (event: LedgerEvent) => {
        for (const { account, debit, credit } of ledgerLines(event))
          balances.set(account, (balances.get(account) ?? 0) + debit - credit);
        expect([...balances.values()].reduce((sum, cents) => sum + cents, 0)).toBe(0);
      };
      book({
        kind: "sale",
        gross,
        discount: discountCents,
        shipping: shippingCents,
        tax: totals.tax,
        ...terms,
      });
      let refundedTotal = 0;
      for (let step = 0; step < 6; step += 1) {
        const isLast = step === 5;
        const items = remaining.lines.map(({ productId, units }) => ({
          productId,
          quantity: isLast ? units : numberUpTo(units),
        }));
        const maxShipping = shippingLeft(remaining);
        const requested = {
          items,
          shipping: isLast ? maxShipping : Math.floor((maxShipping * numberUpTo(2)) / 2),
        };
        expect(requestedLinesProblems(remaining, requested)).toEqual({});
        const split = refundByLines(remaining, requested);
        expect(split.amount).toBe(split.goods + split.shipping + split.tax);
        for (const cents of [split.goods, split.shipping, split.tax]) expect(cents).toBeGreaterThanOrEqual(0);
        refundedTotal += split.amount;
        book({ kind: "refund", ...split, ...terms });
        remaining.goods -= split.goods;
        remaining.shipping -= split.shipping;
        remaining.tax -= split.tax;
        for (const { productId, quantity, goodsCents, taxCents } of split.lines) {
          const line = remaining.lines[productId];
          if (!line) throw new Error("a refund of an unknown line");
          line.units -= quantity;
          line.goods -= goodsCents;
          line.tax -= taxCents;
          for (const rest of [line.goods, line.tax]) expect(rest).toBeGreaterThanOrEqual(0);
        }
        // A refund by amount, as a bank or an owner makes it.
        const rest = remaining.goods + remaining.shipping + remaining.tax;
        const cents = isLast ? 0 : Math.min(rest, numberUpTo(500));
        const { goods, shipping, tax } = refundByAmount(remaining, cents);
        refundedTotal += cents;
        book({ kind: "refund", goods, shipping, tax, ...terms });
        remaining.goods -= goods;
        remaining.shipping -= shipping;
        remaining.tax -= tax;
        for (const part of [remaining.goods, remaining.shipping, remaining.tax])
          expect(part).toBeGreaterThanOrEqual(0);
        const [goodsShare, exactShare] = [goods * rest, cents * (remaining.goods + goods)];
        expect(Math.abs(goodsShare - exactShare)).toBeLessThanOrEqual(rest);
      }
      expect([remaining.goods, remaining.shipping, remaining.tax]).toEqual([0, 0, 0]);
      expect(refundedTotal).toBe(paid);
      expect(refundedTotal).toBe(totals.total);
      const sumBalances = (...names: (keyof typeof accounts)[]) =>
        names.reduce((sum, name) => sum + (balances.get(accounts[name]) ?? 0), 0);
      expect([
        sumBalances("receivable"),
        sumBalances("tax"),
        sumBalances("shipping", "refundedShipping"),
      ]).toEqual([0, 0, 0]);
      expect(sumBalances("sales", "discounts", "refunds")).toBe(0);
      expect(
        requestedLinesProblems(remaining, { items: [{ productId: 0, quantity: 1 }], shipping: 1 }),
      ).toEqual({
        "items.0.quantity": "Nothing of this product is left to refund",
        shipping: "That is more than is left of the shipping",
      });
    }),
  );
});

test("the part of a refund that exceeds what is left to refund counts as goods", () => {
  const remaining = { goods: 1000, shipping: 0, tax: 200 };
  expect(refundByAmount(remaining, 1000)).toMatchObject({ goods: 833, tax: 167 });
  expect(refundByAmount(remaining, 1200)).toMatchObject({ goods: 1000, tax: 200 });
  expect(refundByAmount(remaining, 1500)).toMatchObject({ goods: 1300, tax: 200 });
});

test("a unit's refund is its share of its line, independent of other refunds", () => {
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

test("if prices include tax, a unit and its shipping are refunded at the prices shown", () => {
  const line = { productId: 1, units: 3, goods: 7550, tax: 1435 };
  const order = { goods: 7550, shipping: 500, tax: 1530, lines: [line], taxIncluded: "VAT" };
  expect(refundByLines(order, { items: [{ productId: 1, quantity: 1 }], shipping: 595 })).toEqual({
    amount: 2995 + 595,
    goods: 2517,
    shipping: 500,
    tax: 478 + 95,
    lines: [{ productId: 1, quantity: 1, goodsCents: 2517, taxCents: 478 }],
  });
  expect(requestedLinesProblems(order, { items: [], shipping: 596 })).toHaveProperty("shipping");
});

test("no discount increases the total", () => {
  fc.assert(
    fc.property(anyCart, (cart) => {
      const undiscounted = computeTotals({ ...cart, discount: null }).totals.total;
      expect(computeTotals(cart).totals.total).toBeLessThanOrEqual(undiscounted);
    }),
  );
});

test("one bottle with Standard shipping costs $35.90", () => {
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

test("the goods' price before the discount counts for free shipping", () => {
  const discount: Discount = { code: "TEN", kind: "percent", value: 50 };
  const lines = [{ ...bottle, quantity: 2 }];
  expect(computeTotals({ lines, shippingOption: standard, discount }).totals.shipping).toBe(0);
});

test("free shipping, discount and tax are computed after bundles", () => {
  const lines = [{ ...bottle, quantity: 2, bundles: [{ quantity: 2, price: 4990 }] }];
  const discount: Discount = { code: "TEN", kind: "percent", value: 10 };
  const { totals } = computeTotals({ lines, shippingOption: standard, discount, taxRate: texas });
  // $49.90 is below the free-shipping limit of $50, the list price is not.
  expect(totals).toEqual({
    subtotal: 4990,
    discount: 499,
    shipping: 595,
    tax: 371 + 49,
    total: 4990 - 499 + 595 + 420,
    currency: "USD",
  });
});

test("tax is computed after the discount", () => {
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

test("shipping is taxed only if the rate includes it", () => {
  const input = { lines: [bottle], shippingOption: standard };
  expect(computeTotals({ ...input, taxRate: texas }).totals.tax).toBe(247 + 49);
  expect(computeTotals({ ...input, taxRate: { ...texas, onShipping: false } }).totals.tax).toBe(247);
});

test("an empty cart costs nothing, not even shipping", () => {
  expect(computeTotals({ lines: [], shippingOption: standard, taxRate: texas }).totals.total).toBe(0);
});
