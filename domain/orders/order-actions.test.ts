import { describe, expect, test } from "vitest";
import { defaultShippingPolicy } from "../shipping/shipping-policy.ts";
import type { Order } from "./order.ts";
import { costsTheSame, orderActions } from "./order-actions.ts";
import type { OrderReturn } from "./order-return.ts";
import type { OrderStatus } from "./order-status.ts";

type OrderFacts = Parameters<typeof orderActions>[0];
const settings = { returns: { days: 30, minimumRemainingPercent: 75 }, shipping: defaultShippingPolicy };
/** A Monday. */
const now = new Date("2026-11-16T12:00:00Z");
const noActions = { cancel: false, changeAddress: false, returnUntil: null, withdrawUntil: null };

const totals: Order["totals"] = {
  subtotal: 2995,
  discount: 0,
  shipping: 595,
  tax: 0,
  total: 3590,
  currency: "USD",
  refunded: 0,
  chargedBack: 0,
};
const address = { line1: "1 Main St", line2: null, city: "Austin", state: "TX", postalCode: "78701" };
const paid: OrderFacts = {
  status: "completed",
  payment: "paid",
  totals,
  shipping: { ...address, country: "US" },
  shippingAddress: "1 Main St, Austin, TX 78701, United States",
  shippingOption: { id: "us-standard", name: "Standard" },
  fulfilment: null,
  shipments: [],
  items: [{ quantity: 1 }],
  returns: [],
  exchanges: [],
  refunds: [],
  cancelledAt: null,
  allBackAt: null,
  erasedAt: null,
};
const german: OrderFacts = {
  ...paid,
  shipping: { ...address, country: "DE" },
  shippingOption: { id: "international-standard", name: "International Standard" },
};
const availableActions = (order: OrderFacts, at: Date | string = now) =>
  orderActions(order, settings, new Date(at));

function shippedCopy(order: OrderFacts, shippedAt: string, deliveredAt: string | null = null): OrderFacts {
  const status: OrderStatus = deliveredAt ? "delivered" : "shipped";
  const parcel = { carrier: "UPS", trackingNumber: "1", trackingUrl: null, shippedAt, deliveredAt };
  return { ...order, status, fulfilment: parcel };
}

const request: OrderReturn = {
  id: "1",
  kind: "return",
  status: "requested",
  reason: "Too much",
  requestedAt: "2026-11-15T12:00:00.000Z",
  decidedAt: null,
  answer: null,
  hasLabel: false,
};

describe("a changed address", () => {
  test("is possible for paid, unshipped orders with a structured address", () => {
    expect(availableActions(paid).changeAddress).toBe(true);
    for (const order of [
      { ...paid, status: "pending" as const },
      { ...paid, shipping: null },
      { ...paid, cancelledAt: "2026-11-16T00:00:00.000Z" },
      { ...paid, erasedAt: "2026-11-16T00:00:00.000Z" },
      { ...paid, allBackAt: "2026-11-16T00:00:00.000Z" },
      shippedCopy(paid, "2026-11-16T09:00:00.000Z"),
    ])
      expect(availableActions(order).changeAddress).toBe(false);
  });

  test("costs the same only within the same zone and tax", () => {
    const tax = {
      mode: "table" as const,
      rates: [
        { country: "US", state: "TX", percent: 8.25, onShipping: true },
        { country: "US", state: "NY", percent: 8.25, onShipping: true },
      ],
    };
    const policies = { shipping: defaultShippingPolicy, tax };
    const to = (country: string, state: string) => costsTheSame(paid, { country, state }, policies);
    expect(to("US", "NY")).toBe(true);
    expect(to("US", "CA")).toBe(false);
    expect(to("DE", "")).toBe(false);
    expect(costsTheSame(german, { country: "FR", state: "" }, policies)).toBe(true);
  });
});

describe("cancelling", () => {
  test.each<[OrderStatus, boolean]>([
    ["pending", true],
    ["completed", true],
    ["partially_refunded", true],
    ["cancelled", false],
    ["refunded", false],
  ])("an order that is %s can be cancelled: %s", (status, cancel) => {
    expect(availableActions({ ...paid, status }).cancel).toBe(cancel);
  });

  test.each<[string, OrderFacts]>([
    ["shipped", shippedCopy(paid, "2026-11-13T12:00:00Z")],
    [
      "shipped and refunded in part",
      { ...shippedCopy(paid, "2026-11-13T12:00:00Z"), status: "partially_refunded" },
    ],
    ["cancelled", { ...paid, cancelledAt: "2026-11-15T12:00:00Z" }],
    ["erased", { ...paid, erasedAt: "2026-11-15T12:00:00Z" }],
  ])("an order cannot be cancelled once it is %s", (_state, order) => {
    expect(availableActions(order).cancel).toBe(false);
  });
});

describe("a return", () => {
  test("is not possible before shipment", () => {
    expect(availableActions(paid).returnUntil).toBeNull();
  });

  test("is possible to the end of the 30th day after delivery in every time zone", () => {
    const order = shippedCopy(paid, "2026-11-10T12:00:00Z", "2026-11-13T09:30:00Z");
    const last = "2026-12-14T11:59:59.999Z";
    expect(availableActions(order).returnUntil).toBe(last);
    expect(availableActions(order, last).returnUntil).toBe(last);
    expect(availableActions(order, "2026-12-14T12:00:00Z").returnUntil).toBeNull();
  });

  test("is possible for a period from the latest promised day if no delivery is recorded: 5 business days after a Friday", () => {
    expect(availableActions(shippedCopy(paid, "2026-11-13T12:00:00Z")).returnUntil).toBe(
      "2026-12-21T11:59:59.999Z",
    );
  });

  test("is possible for a period by the slowest shipping option if the order's own was removed: 14 business days", () => {
    const withRemovedOption = { ...paid, shippingOption: { id: "pigeon", name: "Pigeon" } };
    expect(availableActions(shippedCopy(withRemovedOption, "2026-11-16T12:00:00Z")).returnUntil).toBe(
      "2027-01-04T11:59:59.999Z",
    );
  });

  const delivered = shippedCopy(paid, "2026-11-10T12:00:00Z", "2026-11-13T09:30:00Z");
  const closed: OrderReturn = { ...request, status: "closed", decidedAt: "2026-11-16T09:00:00.000Z" };
  const refund = {
    id: "2",
    amount: 2500,
    status: "succeeded" as const,
    reason: null,
    createdAt: "2026-11-16T08:59:59.000Z",
  };
  const exchange = {
    id: "3",
    orderId: "4",
    number: 1002,
    difference: 0,
    value: 2995,
    status: "settled" as const,
    returnId: "1",
    returned: [{ productId: 1, name: "Oil", quantity: 1 }],
    receivedAt: "2026-11-16T09:00:00.000Z" as string | null,
    isCancelled: false,
  };
  test.each<[string, OrderFacts]>([
    ["refunded in full", { ...delivered, status: "refunded", totals: { ...totals, refunded: 3590 } }],
    ["a return is open", { ...delivered, returns: [request] }],
    ["a return is approved", { ...delivered, returns: [{ ...request, status: "approved" }] }],
    ["three were declined", { ...delivered, returns: Array(3).fill({ ...request, status: "declined" }) }],
    [
      "its only unit came back and was refunded in part",
      { ...delivered, returns: [closed], refunds: [refund] },
    ],
    ["its only unit came back for an exchange", { ...delivered, returns: [closed], exchanges: [exchange] }],
    ["it was erased", { ...delivered, erasedAt: "2026-11-15T12:00:00Z" }],
  ])("is not possible when %s", (_state, order) => {
    expect(availableActions(order).returnUntil).toBeNull();
  });

  test("is possible again after a request was closed without a refund, even if other refunds were made", () => {
    const earlier = { ...refund, createdAt: "2026-11-14T12:00:00.000Z" };
    const failed = { ...refund, status: "failed" as const };
    for (const refunds of [[], [earlier], [failed]]) {
      const order = { ...delivered, totals: { ...totals, refunded: 100 }, returns: [closed], refunds };
      expect(availableActions(order).returnUntil).not.toBeNull();
    }
    const lapsed = { ...exchange, status: "ended" as const, receivedAt: null };
    expect(
      availableActions({ ...delivered, returns: [closed], exchanges: [lapsed] }).returnUntil,
    ).not.toBeNull();
  });

  test("is possible again after a declined request, and after a partial refund", () => {
    expect(
      availableActions({ ...delivered, returns: [{ ...request, status: "declined" }] }).returnUntil,
    ).not.toBeNull();
    const inPart: OrderFacts = {
      ...delivered,
      status: "partially_refunded",
      totals: { ...totals, refunded: 100 },
    };
    expect(availableActions(inPart).returnUntil).not.toBeNull();
  });

  test("is never possible in a shop without returns", () => {
    const none = { ...settings, returns: { ...settings.returns, days: 0 } };
    expect(orderActions(delivered, none, now).returnUntil).toBeNull();
    expect(orderActions(delivered, none, new Date("2026-11-13T10:00:00Z")).returnUntil).toBeNull();
    const shippedOrder = shippedCopy(paid, "2026-11-10T12:00:00Z");
    expect(orderActions(shippedOrder, none, new Date("2026-11-11T10:00:00Z")).returnUntil).toBeNull();
  });
});

describe("a withdrawal", () => {
  test.each(["DE", "FR", "IE", "NO", "IS", "LI", "GB", "RE"])("is possible for buyers in %s", (country) => {
    expect(availableActions({ ...german, shipping: { ...address, country } }).withdrawUntil).not.toBeNull();
  });

  test.each(["US", "CA", "CH", "AU", "TR"])("is not possible for buyers in %s", (country) => {
    expect(availableActions({ ...german, shipping: { ...address, country } }).withdrawUntil).toBeNull();
  });

  test("depends on the country of an older client's one-line address", () => {
    const oneLine = { ...german, shipping: null, shippingAddress: "Hauptstr. 1, 10115 Berlin, Germany" };
    expect(availableActions(oneLine).withdrawUntil).not.toBeNull();
    expect(
      availableActions({ ...oneLine, shippingAddress: "1 Main St, Austin, TX" }).withdrawUntil,
    ).toBeNull();
  });

  test("is possible to the end of the 14th day after delivery, or of the Monday after a weekend", () => {
    expect(
      availableActions(shippedCopy(german, "2026-11-01T12:00:00Z", "2026-11-12T09:30:00Z")).withdrawUntil,
    ).toBe("2026-11-27T11:59:59.999Z");
    expect(
      availableActions(shippedCopy(german, "2026-11-01T12:00:00Z", "2026-11-14T09:30:00Z")).withdrawUntil,
    ).toBe("2026-12-01T11:59:59.999Z");
    const over = shippedCopy(german, "2026-10-01T12:00:00Z", "2026-10-12T09:30:00Z");
    expect(availableActions(over).withdrawUntil).toBeNull();
  });

  test("is possible for a late parcel without a recorded delivery", () => {
    expect(availableActions(shippedCopy(german, "2026-10-01T12:00:00Z")).withdrawUntil).not.toBeNull();
    expect(availableActions(shippedCopy(german, "2026-06-01T12:00:00Z")).withdrawUntil).toBeNull();
  });

  test("is possible before shipment, paid or not", () => {
    expect(availableActions(german).withdrawUntil).not.toBeNull();
    expect(availableActions({ ...german, status: "pending" }).withdrawUntil).not.toBeNull();
    expect(availableActions({ ...german, status: "cancelled" }).withdrawUntil).toBeNull();
  });

  test("is possible with an open return, but not after an earlier withdrawal", () => {
    const delivered = shippedCopy(german, "2026-11-01T12:00:00Z", "2026-11-12T09:30:00Z");
    expect(availableActions({ ...delivered, returns: [request] }).withdrawUntil).not.toBeNull();
    expect(
      availableActions({ ...delivered, returns: [{ ...request, kind: "withdrawal" }] }).withdrawUntil,
    ).toBeNull();
  });

  test("is not possible once the order is cancelled or refunded", () => {
    expect(availableActions({ ...german, cancelledAt: "2026-11-15T12:00:00Z" })).toEqual(noActions);
    expect(
      availableActions({ ...german, status: "refunded", totals: { ...totals, refunded: 3590 } }),
    ).toEqual(noActions);
  });
});
