import fc from "fast-check";
import { expect, test } from "vitest";
import { canTransition, isPaid, type OrderStatus } from "../../../domain/orders/order-status.ts";
import type { ProviderPayment } from "../../payment-providers/provider.ts";
import { decideSettlement, type OrderForSettlement } from "./settlement.ts";

const order: OrderForSettlement = {
  status: "pending",
  totalCents: 3590,
  currency: "USD",
  intentIds: ["pi_dead", "pi_own"],
  paidIntentId: null,
};
const paidPayment: ProviderPayment = {
  intentId: "pi_own",
  status: "succeeded",
  amount: 3590,
  amountReceived: 3590,
  currency: "usd",
};
const paidOrder: Partial<OrderForSettlement> = { status: "completed", paidIntentId: "pi_own" };

test.each<[string, Partial<OrderForSettlement>, Partial<ProviderPayment>, string]>([
  ["its payment succeeded", {}, {}, "complete"],
  ["its earlier intent, since replaced, succeeded after all", {}, { intentId: "pi_dead" }, "complete"],
  ["its payment is being processed", {}, { status: "processing", amountReceived: 0 }, "none"],
  ["its card was declined", {}, { status: "requires_payment", amountReceived: 0 }, "none"],
  ["its payment was cancelled", {}, { status: "canceled", amountReceived: 0 }, "cancel"],
  ["an intent that was replaced is cancelled", {}, { intentId: "pi_dead", status: "canceled" }, "none"],
  [
    "a payment is cancelled while its successor is being opened",
    { intentIds: ["pi_own", null] },
    { status: "canceled", amountReceived: 0 },
    "none",
  ],
  ["a payment that is not its own succeeded", {}, { intentId: "pi_other" }, "foreign_intent"],
  ["a payment that is not its own was cancelled", {}, { intentId: "pi_other", status: "canceled" }, "none"],
  ["too little was paid", {}, { amountReceived: 3589 }, "amount_mismatch"],
  ["too much was paid", {}, { amountReceived: 3591 }, "amount_mismatch"],
  ["it was paid in another currency", {}, { currency: "eur" }, "amount_mismatch"],
  ["it is cancelled and its payment succeeded", { status: "cancelled" }, {}, "complete_or_refund"],
  [
    "it is cancelled and too little was paid",
    { status: "cancelled" },
    { amountReceived: 1 },
    "amount_mismatch",
  ],
  ["it is paid and its success is reported again", paidOrder, {}, "none"],
  ["it is paid and an older failure is reported late", paidOrder, { status: "requires_payment" }, "none"],
  ["it is paid and an older cancellation is reported late", paidOrder, { status: "canceled" }, "none"],
  ["it is paid and a second intent succeeds", paidOrder, { intentId: "pi_dead" }, "second_payment"],
  [
    "it is refunded and its payment's success is reported again",
    { ...paidOrder, status: "refunded" },
    {},
    "none",
  ],
  [
    "it is shipped and its payment's success is reported again",
    { ...paidOrder, status: "shipped" },
    {},
    "none",
  ],
])("an order is settled by its status and payment: %s", (_case, orderChanges, paymentChanges, expected) => {
  const decision = decideSettlement({ ...order, ...orderChanges }, { ...paidPayment, ...paymentChanges });
  expect(decision.action === "issue" ? decision.kind : decision.action).toBe(expected);
});

test("an amount mismatch names the payment, the amount received and the amount due", () => {
  expect(decideSettlement(order, { ...paidPayment, amountReceived: 100, currency: "eur" })).toMatchObject({
    message: "Payment pi_own is for 100 EUR, but the order costs 3590 USD",
  });
});

/** The order after a decision has been carried out; `hasStock` decides whether a late payment is accepted. */
function applyDecision(
  before: OrderForSettlement,
  payment: ProviderPayment,
  hasStock: boolean,
): OrderForSettlement {
  const { action } = decideSettlement(before, payment);
  const moveTo = (status: OrderStatus, paidIntentId = before.paidIntentId): OrderForSettlement => {
    expect(canTransition(before.status, status)).toBe(true);
    return { ...before, status, paidIntentId };
  };
  if (action === "complete") return moveTo("completed", payment.intentId);
  if (action === "complete_or_refund") return moveTo(hasStock ? "completed" : "refunded", payment.intentId);
  return action === "cancel" ? moveTo("cancelled") : before;
}

const anyPayment = fc.record({
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

test("a payment state that is reported again changes nothing", () => {
  fc.assert(
    fc.property(
      fc.array(anyPayment, { maxLength: 6 }),
      anyPayment,
      fc.boolean(),
      (before, reportedPayment, hasStock) => {
        const stateBefore = before.reduce((state, payment) => applyDecision(state, payment, hasStock), order);
        const stateAfter = applyDecision(stateBefore, reportedPayment, hasStock);
        expect(applyDecision(stateAfter, reportedPayment, hasStock)).toEqual(stateAfter);
      },
    ),
  );
});

test("an order becomes paid only by a full payment made for it, and no later payment state reverts that", () => {
  fc.assert(
    fc.property(fc.array(anyPayment, { maxLength: 12 }), fc.boolean(), (payments, hasStock) => {
      let state = order;
      for (const payment of payments) {
        const wasPaid = isPaid(state.status);
        state = applyDecision(state, payment, hasStock);
        if (wasPaid) expect(isPaid(state.status)).toBe(true);
      }
      const hasFullPayment = payments.some(
        (payment) =>
          payment.status === "succeeded" &&
          payment.intentId !== "pi_other" &&
          payment.amountReceived === 3590 &&
          payment.currency === "usd",
      );
      expect(isPaid(state.status)).toBe(hasFullPayment);
    }),
  );
});
