import fc from "fast-check";
import { expect, test } from "vitest";
import { canTransition, isPaid, type OrderStatus } from "../../../domain/orders/order-status.ts";
import type { ProviderPayment } from "../../payment-providers/provider.ts";
import { type OrderForSettlement, settle } from "./settlement.ts";

const order: OrderForSettlement = {
  status: "pending",
  totalCents: 3590,
  currency: "USD",
  intentIds: ["pi_dead", "pi_own"],
  paidIntentId: null,
};
const paidTruth: ProviderPayment = {
  intentId: "pi_own",
  status: "succeeded",
  amount: 3590,
  amountReceived: 3590,
  currency: "usd",
};
const paidOrder: Partial<OrderForSettlement> = { status: "completed", paidIntentId: "pi_own" };

test.each<[string, Partial<OrderForSettlement>, Partial<ProviderPayment>, string]>([
  ["its payment succeeded", {}, {}, "complete"],
  ["a replaced intent of its own succeeded after all", {}, { intentId: "pi_dead" }, "complete"],
  ["its payment is still under way", {}, { status: "processing", amountReceived: 0 }, "none"],
  ["its card was declined", {}, { status: "requires_payment", amountReceived: 0 }, "none"],
  ["its payment was cancelled", {}, { status: "canceled", amountReceived: 0 }, "cancel"],
  ["an intent that was replaced is cancelled", {}, { intentId: "pi_dead", status: "canceled" }, "none"],
  [
    "one is cancelled whose successor is only being opened",
    { intentIds: ["pi_own", null] },
    { status: "canceled", amountReceived: 0 },
    "none",
  ],
  ["another order's payment succeeded in its name", {}, { intentId: "pi_other" }, "foreign_intent"],
  ["another order's payment was cancelled", {}, { intentId: "pi_other", status: "canceled" }, "none"],
  ["too little came in", {}, { amountReceived: 3589 }, "amount_mismatch"],
  ["too much came in", {}, { amountReceived: 3591 }, "amount_mismatch"],
  ["it came in another currency", {}, { currency: "eur" }, "amount_mismatch"],
  ["it is cancelled and its payment succeeded", { status: "cancelled" }, {}, "complete_or_refund"],
  [
    "it is cancelled and too little came in",
    { status: "cancelled" },
    { amountReceived: 1 },
    "amount_mismatch",
  ],
  ["it is paid and is told so again", paidOrder, {}, "none"],
  ["it is paid and an older failure comes late", paidOrder, { status: "requires_payment" }, "none"],
  ["it is paid and an older cancellation comes late", paidOrder, { status: "canceled" }, "none"],
  ["it is paid and a second intent succeeds", paidOrder, { intentId: "pi_dead" }, "second_payment"],
  ["it is refunded and its success is told again", { ...paidOrder, status: "refunded" }, {}, "none"],
  ["it is shipped and its success is told again", { ...paidOrder, status: "shipped" }, {}, "none"],
])("an order is settled by its status and payment: %s", (_news, about, truth, expected) => {
  const decision = settle({ ...order, ...about }, { ...paidTruth, ...truth });
  expect(decision.action === "issue" ? decision.kind : decision.action).toBe(expected);
});

test("an amount mismatch names the payment, the amount received and the amount due", () => {
  expect(settle(order, { ...paidTruth, amountReceived: 100, currency: "eur" })).toMatchObject({
    message: "Payment pi_own brought 100 EUR, the order is 3590 USD",
  });
});

/** The order after a decision has been carried out; `stockLeft` decides whether a late payment is accepted. */
function carryOut(
  before: OrderForSettlement,
  truth: ProviderPayment,
  stockLeft: boolean,
): OrderForSettlement {
  const { action } = settle(before, truth);
  const moveTo = (status: OrderStatus, paidIntentId = before.paidIntentId): OrderForSettlement => {
    expect(canTransition(before.status, status)).toBe(true);
    return { ...before, status, paidIntentId };
  };
  if (action === "complete") return moveTo("completed", truth.intentId);
  if (action === "complete_or_refund") return moveTo(stockLeft ? "completed" : "refunded", truth.intentId);
  return action === "cancel" ? moveTo("cancelled") : before;
}

const anyTruth = fc.record({
  intentId: fc.constantFrom("pi_dead", "pi_own", "pi_other"),
  status: fc.constantFrom<ProviderPayment["status"]>(
    "requires_payment",
    "processing",
    "succeeded",
    "canceled",
  ),
  amount: fc.constant(3590),
  amountReceived: fc.constantFrom(0, 1, 3590),
  currency: fc.constantFrom("usd", "eur"),
});

test("the same payment state a second time changes nothing", () => {
  fc.assert(
    fc.property(fc.array(anyTruth, { maxLength: 6 }), anyTruth, fc.boolean(), (before, news, stockLeft) => {
      const start = before.reduce((state, truth) => carryOut(state, truth, stockLeft), order);
      const once = carryOut(start, news, stockLeft);
      expect(carryOut(once, news, stockLeft)).toEqual(once);
    }),
  );
});

test("only a full payment of its own makes an order paid, and no other payment state reverts that", () => {
  fc.assert(
    fc.property(fc.array(anyTruth, { maxLength: 12 }), fc.boolean(), (news, stockLeft) => {
      let state = order;
      for (const truth of news) {
        const wasPaid = isPaid(state.status);
        state = carryOut(state, truth, stockLeft);
        if (wasPaid) expect(isPaid(state.status)).toBe(true);
      }
      const good = news.some(
        (truth) =>
          truth.status === "succeeded" &&
          truth.intentId !== "pi_other" &&
          truth.amountReceived === 3590 &&
          truth.currency === "usd",
      );
      expect(isPaid(state.status)).toBe(good);
    }),
  );
});
