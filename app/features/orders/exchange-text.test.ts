import { expect, test } from "vitest";
import { isGoingBack, type OrderReturn } from "../../../domain/orders/order-return.ts";
import { type LinkedExchange, leftOverReason } from "../../../domain/orders/replacement.ts";
import { exchangeTexts } from "./exchange-text.ts";

const at = "2026-11-20T09:00:00.000Z";
const request: OrderReturn = {
  id: "r",
  kind: "return",
  status: "approved",
  reason: "Exchange for order #1002",
  requestedAt: at,
  decidedAt: at,
  answer: null,
  hasLabel: false,
};
const exchange: LinkedExchange = {
  id: "e",
  orderId: "o",
  number: 1002,
  difference: 0,
  value: 2995,
  status: "waits_for_return",
  returnId: "r",
  returned: [{ productId: 1, name: "Oil", quantity: 1 }],
  receivedAt: null,
  isCancelled: false,
};
const unpaid = { ...exchange, status: "waits_for_payment", difference: 395 } as const;
type Facts = Parameters<typeof exchangeTexts>[0];
const order: Facts = {
  status: "delivered",
  items: [{ quantity: 2 }],
  returns: [request],
  exchanges: [exchange],
  refunds: [],
  fulfilment: { carrier: "UPS", trackingNumber: null, trackingUrl: null, shippedAt: at, deliveredAt: at },
};
const closed = { ...request, status: "closed" } as const;
const titledTexts = (exchanges: LinkedExchange[], change: Partial<Facts> = {}) =>
  exchangeTexts({ ...order, ...change, exchanges }).map(({ title, text }) => `${title}: ${text}`);
const received = (change: Partial<LinkedExchange>, more: Partial<Facts> = {}) =>
  titledTexts([{ ...exchange, receivedAt: at, ...change }], { returns: [closed], ...more });

test("an exchange names what to send back, and what the new order waits for", () => {
  expect(titledTexts([exchange])).toEqual([
    "Exchange for order #1002: Please send back 1 × Oil. We ship order #1002 once it arrives.",
  ]);
  expect(titledTexts([unpaid], { fulfilment: null })).toEqual([
    "Exchange for order #1002: Once you have this order, please send back 1 × Oil. Order #1002 ships once $3.95 is paid through the link in our email.",
  ]);
  expect(titledTexts([{ ...exchange, status: "settled", difference: -1300 }])[0]).toContain(
    "Order #1002 doesn’t wait for it. Once it arrives, we refund the difference of $13.00.",
  );
});

test("a return that arrives before the difference is paid does not settle the exchange, and is still named after the exchange has lapsed", () => {
  expect(received({ ...unpaid, receivedAt: at })).toEqual([
    "Exchange for order #1002: What you sent back has arrived. Order #1002 ships once $3.95 is paid through the link in our email.",
  ]);
  const lapsed = { status: "ended", receivedAt: at } as const;
  expect(received(lapsed)).toEqual([
    "Exchange for order #1002 has ended: Order #1002 won’t ship. What you sent back is with us, and we’ll email you about its refund.",
  ]);
  const refund = { id: "f", amount: 2995, status: "succeeded", reason: null, createdAt: at } as const;
  expect(received(lapsed, { refunds: [refund] })).toEqual([]);
});

test("an exchange that lapses before anything is sent back leaves the order as it was", () => {
  const ended = { ...exchange, status: "ended" } as const;
  expect(titledTexts([ended])).toEqual([
    "Exchange for order #1002 has ended: Order #1002 won’t ship. If you have sent anything back already, we’ll refund you once it arrives.",
  ]);
  expect(titledTexts([ended], { returns: [closed] })).toEqual([]);
  expect(isGoingBack({ ...order, exchanges: [ended] })).toBe(false);
  expect(isGoingBack({ ...order, exchanges: [ended], returns: [closed] })).toBe(false);
  // The buyer asked for the return before the exchange was offered.
  expect(isGoingBack({ ...order, exchanges: [ended], returns: [{ ...request, reason: "Too much" }] })).toBe(
    true,
  );
});

test("all exchanges of a return are named, and the rest of what the buyer asked to return is refunded", () => {
  const ended = { ...exchange, id: "e3", number: 1003, status: "ended" } as const;
  const texts = titledTexts([unpaid, ended], { returns: [{ ...request, reason: "Too much" }] });
  expect(texts).toEqual([
    expect.stringMatching(
      /^Exchange for order #1002: .* We’ll refund you for anything else in the package\.$/,
    ),
  ]);
  const second = { ...exchange, id: "e4", number: 1004 };
  expect(titledTexts([unpaid, second]).map((text) => text.split(":")[0])).toEqual([
    "Exchange for order #1002",
    "Exchange for order #1004",
  ]);
  // An unpaid exchange is not hidden by a later return.
  const later = { ...request, id: "r2" };
  expect(titledTexts([{ ...unpaid, receivedAt: at }], { returns: [closed, later] })).toHaveLength(1);
});

test("a cancelled new order is refunded once what was sent back has arrived", () => {
  const cancelled = { status: "settled", isCancelled: true } as const;
  expect(titledTexts([{ ...exchange, ...cancelled }])[0]).toContain(
    "Order #1002 is cancelled. Once what you send back arrives, we refund $29.95.",
  );
  expect(received(cancelled)).toEqual([
    "Exchange for order #1002: What you sent back has arrived. Order #1002 is cancelled, and $29.95 goes back the way you paid.",
  ]);
});

test("the difference counts as refunded once its refund has succeeded", () => {
  const settled = { status: "settled", difference: -1300 } as const;
  expect(received(settled)[0]).toContain("The difference of $13.00 goes back the way you paid.");
  const refund = { id: "f", amount: 1300, reason: leftOverReason, createdAt: at } as const;
  expect(received(settled, { refunds: [{ ...refund, status: "pending" }] })[0]).toContain("goes back");
  expect(received(settled, { status: "refunded" })[0]).toContain("went back");
  expect(received(settled, { refunds: [{ ...refund, status: "succeeded" }] })).toEqual([
    "Exchanged for order #1002: The difference of $13.00 went back the way you paid.",
  ]);
});
