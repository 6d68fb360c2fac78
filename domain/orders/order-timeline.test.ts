import { expect, test } from "vitest";
import type { Order, OrderEvent } from "./order.ts";
import type { OrderReturn } from "./order-return.ts";
import type { OrderStatus } from "./order-status.ts";
import { orderTimeline } from "./order-timeline.ts";

const createdAt = "2026-11-19T23:30:00.000Z";
const fulfilment = {
  carrier: "DHL",
  trackingNumber: null,
  trackingUrl: null,
  shippedAt: createdAt,
  deliveredAt: null,
};

function event(
  from: OrderStatus | null,
  to: OrderStatus,
  actor: OrderEvent["actor"] = "provider",
): OrderEvent {
  return { at: "2026-11-20T09:14:00.000Z", from, to, actor, note: null };
}

function steps(
  status: OrderStatus,
  events: OrderEvent[],
  overrides: Partial<
    Pick<
      Order,
      | "cancelledAt"
      | "allBackAt"
      | "fulfilment"
      | "shipments"
      | "returns"
      | "exchanges"
      | "refunds"
      | "replaces"
      | "exchangeOf"
    >
  > = {},
) {
  const nothing = { fulfilment: null, shipments: [], cancelledAt: null, allBackAt: null };
  const lists = { returns: [], exchanges: [], refunds: [], replaces: null, exchangeOf: null };
  const order = { ...nothing, ...lists, status, createdAt, events, ...overrides };
  return orderTimeline(order).map(({ title, state }) => `${title}: ${state}`);
}

test("an unpaid order's next step is its payment", () => {
  expect(steps("pending", [event(null, "pending")])).toEqual([
    "Order placed: now",
    "Paid: open",
    "Shipped: open",
    "Delivered: open",
  ]);
});

test("payment is a next step of an exchange's new order only if it costs more than the returned items", () => {
  const exchange = { id: "e", orderId: "o", number: 1002, difference: 0, value: 2995, isCancelled: false };
  const exchangeOf = {
    ...exchange,
    returnId: "r",
    returned: [],
    receivedAt: null,
    of: { id: "o", number: 1001 },
  };
  const exchangeSteps = (status: "waits_for_return" | "waits_for_payment") =>
    steps("pending", [event(null, "pending")], { exchangeOf: { ...exchangeOf, status } });
  const next = ["Shipped: open", "Delivered: open"];
  expect(exchangeSteps("waits_for_return")).toEqual(["Order placed: now", ...next]);
  expect(exchangeSteps("waits_for_payment")).toEqual(["Order placed: now", "Paid: open", ...next]);
});

test("a shipped order's next step is delivery", () => {
  expect(steps("shipped", [event("pending", "completed"), event("completed", "shipped")])).toEqual([
    "Order placed: done",
    "Paid: done",
    "Shipped: now",
    "Delivered: open",
  ]);
});

test("after shipment, the parcel's tracking state is the current step", () => {
  const at = "2026-11-20T09:14:00.000Z";
  const fulfilment = {
    carrier: "DHL",
    trackingNumber: "1",
    trackingUrl: null,
    shippedAt: at,
    deliveredAt: null,
  };
  // The carrier scanned the parcel before the shop marked it as shipped.
  const tracking = { state: "on_the_way" as const, since: "2026-11-20T08:00:00.000Z" };
  const shipments = [{ id: "p", number: 1, items: [], tracking, ...fulfilment }];
  const events = [event("pending", "completed"), event("completed", "shipped")];
  expect(steps("shipped", events, { fulfilment, shipments }).slice(2)).toEqual([
    "Shipped: done",
    "On the way: now",
    "Delivered: open",
  ]);
  // An order with several parcels shows the tracking state beside each parcel's items instead.
  expect(steps("shipped", events, { fulfilment, shipments: [...shipments, ...shipments] })).not.toContain(
    "On the way: now",
  );
});

test("a delivered order has no next step", () => {
  expect(steps("delivered", [event("pending", "completed"), event("shipped", "delivered")]).at(-1)).toBe(
    "Delivered: done",
  );
});

test("a bounced refund does not appear as a second payment", () => {
  expect(steps("completed", [event("pending", "completed"), event("refunded", "completed")])).toContain(
    "Refund returned: now",
  );
});

test("a cancelled order's next step is its refund", () => {
  const paid = event("pending", "completed");
  const cancelled = { ...event("completed", "completed"), at: "2026-11-20T08:00:00.000Z" };
  expect(steps("completed", [paid, cancelled], { cancelledAt: cancelled.at })).toEqual([
    "Order placed: done",
    "Paid: done",
    "Cancelled: now",
    "Refunded: open",
  ]);
  const all = [paid, cancelled, event("completed", "refunded")];
  expect(steps("refunded", all, { cancelledAt: cancelled.at }).slice(2)).toEqual([
    "Cancelled: done",
    "Refunded: done",
  ]);
});

test("the request and the decision of a return are steps, and delivery is a next step only if the return was declined", () => {
  const events = [event("pending", "completed"), event("completed", "shipped")];
  const requested = {
    id: "r",
    kind: "return" as const,
    status: "requested" as const,
    reason: "Too heavy",
    answer: null,
    requestedAt: "2026-11-21T08:00:00.000Z",
    decidedAt: null,
    hasLabel: false,
  };
  const after = (change: Partial<OrderReturn> = {}) =>
    steps("shipped", events, { fulfilment, returns: [{ ...requested, ...change }] }).slice(3);
  expect(after()).toEqual(["You asked for a return: now"]);
  const decidedAt = "2026-11-22T08:00:00.000Z";
  expect(after({ status: "approved", decidedAt })).toEqual([
    "You asked for a return: done",
    "Return approved: now",
  ]);
  expect(after({ status: "declined", decidedAt })).toEqual([
    "You asked for a return: done",
    "Return declined: now",
    "Delivered: open",
  ]);
  const closed = { status: "closed", decidedAt } as const;
  expect(after(closed).at(-1)).toBe("Return closed: done");
  const refund = { id: "f", amount: 2995, status: "succeeded", reason: null, createdAt: decidedAt } as const;
  expect(
    steps("shipped", events, { fulfilment, returns: [{ ...requested, ...closed }], refunds: [refund] }).at(
      -1,
    ),
  ).toBe("Return refunded: done");
  expect(after({ kind: "withdrawal" })).toEqual(["You withdrew from the contract: now"]);
  const refunded = { ...event("shipped", "refunded"), at: "2026-11-23T08:00:00.000Z" };
  expect(
    steps("refunded", [...events, refunded], { fulfilment, returns: [{ ...requested, decidedAt }] }).at(-1),
  ).toBe("Refunded: done");
  // After an exchange of some units the parcel is still awaited, and the buyer may not have asked for it.
  const reason = "Exchange for order #1002";
  const returns = [{ ...requested, reason, status: "approved" as const, decidedAt }];
  const exchange = {
    id: "e",
    orderId: "o",
    number: 1002,
    difference: 0,
    value: 2995,
    isCancelled: false,
    status: "waits_for_return" as const,
  };
  const exchanges = [{ ...exchange, returnId: "r", returned: [], receivedAt: null }];
  const exchanged = (status: "waits_for_return" | "ended") =>
    steps("shipped", events, {
      fulfilment,
      returns,
      exchanges: exchanges.map((exchange) => ({ ...exchange, status })),
    }).slice(3);
  const awaited = ["Return approved: now", "Delivered: open"];
  expect(exchanged("waits_for_return")).toEqual(awaited);
  expect(exchanged("ended")).toEqual(awaited);
  // The buyer asked for this one, and an exchange was offered later.
  expect(
    steps("shipped", events, { fulfilment, returns: [{ ...requested, decidedAt }], exchanges }),
  ).toContain("You asked for a return: done");
  // Units that have not shipped yet are still to be sent.
  expect(steps("completed", events.slice(0, 1), { returns: [requested] }).slice(-2)).toEqual([
    "Shipped: open",
    "Delivered: open",
  ]);
});

test("the credit of an exchange is a separate step, not a refund", () => {
  const at = "2026-11-23T08:00:00.000Z";
  const credit = { id: "c", amount: 2995, status: "succeeded", reason: null, createdAt: at } as const;
  const events = [event("pending", "completed"), { ...event("completed", "refunded", "system"), at }];
  expect(steps("refunded", events, { refunds: [{ ...credit, isCredit: true }] }).at(-1)).toBe(
    "Exchanged: done",
  );
  expect(steps("refunded", events, { refunds: [credit] }).at(-1)).toBe("Refunded: done");
});

test("after a partial refund, delivery is still a next step", () => {
  const paid = event("pending", "completed");
  const refunded = event("completed", "partially_refunded");
  expect(steps("partially_refunded", [paid, refunded])).toEqual([
    "Order placed: done",
    "Paid: done",
    "Partially refunded: now",
    "Shipped: open",
    "Delivered: open",
  ]);
  expect(steps("partially_refunded", [paid, refunded], { allBackAt: createdAt }).at(-1)).toBe(
    "Partially refunded: done",
  );
  const parcel = [event("completed", "shipped"), event("shipped", "delivered")];
  expect(steps("partially_refunded", [paid, ...parcel, refunded]).at(-1)).toBe("Partially refunded: done");
});

test("a refund of a shipped order keeps its shipment in the timeline, and an undone shipment is left out", () => {
  const paid = event("pending", "completed");
  const shipment = event("completed", "shipped", "owner");
  const part = event("shipped", "partially_refunded", "owner");
  expect(steps("partially_refunded", [paid, shipment, part], { fulfilment }).slice(1)).toEqual([
    "Paid: done",
    "Shipped: done",
    "Partially refunded: now",
    "Delivered: open",
  ]);
  // An order that was partly refunded before it shipped, and again afterwards.
  const earlierRefund = event("completed", "partially_refunded", "owner");
  const shippedAfter = event("partially_refunded", "shipped", "owner");
  expect(steps("partially_refunded", [paid, earlierRefund, shippedAfter, part], { fulfilment })).toContain(
    "Shipped: done",
  );
  const undone = event("shipped", "completed", "owner");
  expect(steps("completed", [paid, shipment, undone])).toContain("Shipped: open");
  expect(steps("shipped", [paid, shipment, undone, shipment], { fulfilment }).slice(2)).toEqual([
    "Shipped: now",
    "Delivered: open",
  ]);
});
