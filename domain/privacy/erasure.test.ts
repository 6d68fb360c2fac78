import { describe, expect, test } from "vitest";
import { noEntries, type Order } from "../orders/order.ts";
import { noActions } from "../orders/order-actions.ts";
import { erasedAddressLine, erasedEmail, erasedShipping, isErasedEmail, keepReason } from "./erasure.ts";

const delivered: Order = {
  id: "0b6f4f1e-6a0e-4a55-9f0e-2f7f5f0e8d11",
  number: 1001,
  status: "delivered",
  payment: "paid",
  createdAt: "2026-01-01T00:00:00.000Z",
  paidAt: "2026-01-01T00:00:00.000Z",
  paidWith: null,
  currency: "USD",
  email: "ada@example.com",
  customerName: "Ada Obi",
  ...noEntries,
  shippingAddress: "1 Main St, Austin, TX 78701, United States",
  shipping: null,
  shippingOption: { id: "us-standard", name: "Standard" },
  arrival: null,
  discountCode: null,
  items: [],
  totals: {
    subtotal: 2995,
    discount: 0,
    shipping: 595,
    tax: 0,
    total: 3590,
    currency: "USD",
    refunded: 0,
    chargedBack: 0,
  },
  events: [],
  shipments: [],
  fulfilment: {
    carrier: "UPS",
    trackingNumber: "1",
    trackingUrl: null,
    shippedAt: "2026-01-02T00:00:00.000Z",
    deliveredAt: "2026-01-05T00:00:00.000Z",
  },
  refunds: [],
  returns: [],
  cancelledAt: null,
  allBackAt: null,
  erasedAt: null,
  givingPercent: 20,
  replaces: null,
  replacements: [],
  exchanges: [],
  exchangeOf: null,
};
const settled = { isPayable: false, hasIssue: false, now: new Date("2026-06-01T00:00:00.000Z") };
const soon = "2026-02-01T00:00:00.000Z";
const unpaid = { paidAt: null, fulfilment: null } as const;
const refund = { id: "r", amount: 3590, reason: null, createdAt: soon } as const;
const request = {
  id: "q",
  kind: "return",
  reason: null,
  requestedAt: soon,
  decidedAt: null,
  answer: null,
  hasLabel: false,
} as const;
const paidBack = { ...delivered.totals, refunded: 3590 };

describe("an order keeps its buyer's data", () => {
  test.each<[string, Partial<Order>, ReturnType<typeof keepReason>]>([
    ["while it is unpaid", { ...unpaid, status: "pending" }, "unpaid"],
    ["until it has been sent", { status: "completed", fulfilment: null }, "unshipped"],
    ["until the rest of it has been sent", { status: "partially_refunded", fulfilment: null }, "unshipped"],
    ["while a refund is on its way", { refunds: [{ ...refund, status: "pending" }] }, "refund"],
    [
      "until a cancelled order is refunded",
      { status: "completed", fulfilment: null, cancelledAt: soon },
      "refund",
    ],
    ["until a late payment is refunded", { status: "cancelled", fulfilment: null }, "refund"],
    ["while a return is open", { returns: [{ ...request, status: "approved" }] }, "return"],
    ["no longer once it is delivered and settled", {}, null],
    ["no longer once it was cancelled unpaid", { ...unpaid, status: "cancelled" }, null],
    [
      "no longer once it is fully refunded",
      { status: "refunded", fulfilment: null, cancelledAt: soon, totals: paidBack },
      null,
    ],
    ["no longer once its return was declined", { returns: [{ ...request, status: "declined" }] }, null],
  ])("%s", (_, change, reason) => {
    expect(keepReason({ ...delivered, ...change }, noActions, settled)).toBe(reason);
  });

  test("while it can be returned or withdrawn from", () => {
    expect(keepReason(delivered, { ...noActions, returnUntil: soon }, settled)).toBe("returnable");
    expect(keepReason(delivered, { ...noActions, withdrawUntil: soon }, settled)).toBe("returnable");
  });

  test("while its payment can be disputed, 120 days from the payment", () => {
    const reasonAt = (now: string) => keepReason(delivered, noActions, { ...settled, now: new Date(now) });
    expect([reasonAt("2026-04-30T23:59:59.000Z"), reasonAt("2026-05-01T00:00:00.000Z")]).toEqual([
      "disputable",
      null,
    ]);
    const early = { ...settled, now: new Date("2026-02-01T00:00:00.000Z") };
    const refundedOrder: Order = { ...delivered, status: "refunded", totals: paidBack };
    expect(keepReason(refundedOrder, noActions, early)).toBeNull();
  });

  test("while its payment can still arrive or has an open issue", () => {
    const cancelled: Order = { ...delivered, ...unpaid, status: "cancelled" };
    expect(keepReason(cancelled, noActions, { ...settled, isPayable: true })).toBe("unpaid");
    expect(keepReason(delivered, noActions, { ...settled, hasIssue: true })).toBe("attention");
  });
});

describe("after an erasure", () => {
  const home = {
    line1: "1 Main St",
    line2: "c/o Obi",
    city: "Austin",
    state: "TX",
    postalCode: "78701",
    country: "US",
  };

  test("the address has only country and state, for tax", () => {
    const { country, state, ...otherParts } = erasedShipping(home);
    expect([country, state]).toEqual(["US", "TX"]);
    for (const part of Object.values(otherParts)) expect(["Deleted", "", null]).toContain(part);
    expect(erasedAddressLine(home)).toBe("TX, United States");
    expect(erasedAddressLine({ ...home, state: "", country: "DE" })).toBe("Germany");
    expect(erasedAddressLine(null)).toBe("Deleted");
  });

  test("the e-mail address is undeliverable and unique to each order", () => {
    expect(isErasedEmail(erasedEmail("a"))).toBe(true);
    expect(erasedEmail("a")).not.toBe(erasedEmail("b"));
    expect(isErasedEmail("deleted@example.com")).toBe(false);
  });
});
