import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  canTransition,
  isPaid,
  type OrderStatus,
  orderStatuses,
  orderStatusLabel,
  orderStatusTone,
  orderTransitions,
  statusAfterRefunds,
} from "./order-status.ts";

/** Every permitted transition, independent of the table under test. */
const allowedSteps = new Set([
  "pending -> completed",
  "pending -> cancelled",
  "cancelled -> completed",
  "cancelled -> refunded",
  "completed -> shipped",
  "completed -> partially_refunded",
  "completed -> refunded",
  "shipped -> completed",
  "shipped -> delivered",
  "shipped -> partially_refunded",
  "shipped -> refunded",
  "delivered -> partially_refunded",
  "delivered -> refunded",
  "partially_refunded -> shipped",
  "partially_refunded -> delivered",
  "partially_refunded -> completed",
  "partially_refunded -> refunded",
  "refunded -> partially_refunded",
  "refunded -> completed",
  "refunded -> shipped",
  "refunded -> delivered",
  "refunded -> cancelled",
]);

describe.each(orderStatuses)("a status transition from %s", (from) => {
  test.each(orderStatuses)("to %s is permitted only if it is listed", (to) => {
    expect(canTransition(from, to)).toBe(allowedSteps.has(`${from} -> ${to}`));
  });
});

test("every state is reachable from a new order", () => {
  const reached = new Set<OrderStatus>(["pending"]);
  for (const from of reached) for (const to of orderTransitions[from]) reached.add(to);
  expect([...reached].sort()).toEqual([...orderStatuses].sort());
});

test("no transition leads back to pending, and unpaid orders never ship", () => {
  expect(orderStatuses.filter((from) => canTransition(from, "pending"))).toEqual([]);
  expect(orderStatuses.filter((from) => canTransition(from, "shipped") && !isPaid(from))).toEqual([]);
});

test("every state but pending and cancelled counts as paid", () => {
  expect(orderStatuses.filter((status) => !isPaid(status))).toEqual(["pending", "cancelled"]);
});

const now = new Date("2026-11-30T12:00:00Z");
const paid = {
  payableCents: 3590,
  refundedCents: 0,
  chargedBackCents: 0,
  wasCompleted: true,
  shippedAt: null,
  deliveredAt: null,
};

test.each<[string, Partial<Parameters<typeof statusAfterRefunds>[0]>, OrderStatus]>([
  ["everything refunded", { refundedCents: 3590 }, "refunded"],
  ["all but one cent refunded", { refundedCents: 3589 }, "partially_refunded"],
  ["one cent refunded", { refundedCents: 1 }, "partially_refunded"],
  ["everything charged back", { chargedBackCents: 3590 }, "refunded"],
  ["a part refunded and the rest charged back", { refundedCents: 590, chargedBackCents: 3000 }, "refunded"],
  ["refunded and charged back as well", { refundedCents: 3590, chargedBackCents: 3590 }, "refunded"],
  ["one cent charged back", { chargedBackCents: 1, shippedAt: now }, "partially_refunded"],
  ["a bounced refund before shipping", {}, "completed"],
  ["a bounced refund on the way", { shippedAt: now }, "shipped"],
  ["a bounced refund after delivery", { shippedAt: now, deliveredAt: now }, "delivered"],
  ["a refunded late payment", { wasCompleted: false, refundedCents: 3590 }, "refunded"],
  ["a late payment whose refund bounced", { wasCompleted: false }, "cancelled"],
])("the status of an order with %s follows its refunds and delivery", (_name, order, status) => {
  expect(statusAfterRefunds({ ...paid, ...order })).toBe(status);
});

const parcel = fc.constantFrom<{ at: OrderStatus; shippedAt: Date | null; deliveredAt: Date | null }>(
  { at: "completed", shippedAt: null, deliveredAt: null },
  { at: "shipped", shippedAt: now, deliveredAt: null },
  { at: "delivered", shippedAt: now, deliveredAt: now },
);
/** Refunds that add up to the amount paid. */
const refunds = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 8 });

test("partial refunds make an order refunded only with the last cent, by permitted transitions", () => {
  fc.assert(
    fc.property(parcel, refunds, ({ at, ...dates }, parts) => {
      const payableCents = parts.reduce((sum, part) => sum + part, 0);
      let status = at;
      let refundedCents = 0;
      const book = (cents: number) => {
        refundedCents += cents;
        const next = statusAfterRefunds({ ...paid, payableCents, refundedCents, ...dates });
        if (next !== status) expect(canTransition(status, next)).toBe(true);
        status = next;
      };
      for (const [index, part] of parts.entries()) {
        book(part);
        expect(status).toBe(index === parts.length - 1 ? "refunded" : "partially_refunded");
      }
      for (const part of parts) book(-part);
      expect(status).toBe(at);
    }),
  );
});

test.each<[OrderStatus, string, string]>([
  ["pending", "Pending", "warning"],
  ["completed", "Paid, being prepared", "success"],
  ["shipped", "Shipped", "info"],
  ["cancelled", "Cancelled", "info"],
  ["partially_refunded", "Partially refunded", "info"],
])("%s is shown as %s in the tone %s", (status, label, tone) => {
  expect(orderStatusLabel(status)).toBe(label);
  expect(orderStatusTone(status)).toBe(tone);
});
