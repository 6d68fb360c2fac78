import type { PaymentState } from "../../../domain/orders/order.ts";
import type { OrderStatus } from "../../../domain/orders/order-status.ts";
import type { ProviderPayment } from "../../payment-providers/provider.ts";

export type OrderForSettlement = {
  status: OrderStatus;
  totalCents: number;
  currency: string;
  /** Intents of all payments of this order, including cancelled ones, oldest first; null for an intent that is not known yet. */
  intentIds: readonly (string | null)[];
  /** The intent that has paid it, if any. */
  paidIntentId: string | null;
};

export type Settlement =
  | { action: "none" }
  | { action: "complete" }
  /** The order was paid after its cancellation: its units are sold if they are in stock; otherwise the payment is refunded. */
  | { action: "complete_or_refund" }
  /** The provider cancelled the payment, which cancels the order. */
  | { action: "cancel" }
  /** The payment must not be booked; the owner decides what to do. */
  | { action: "issue"; kind: "foreign_intent" | "amount_mismatch" | "second_payment"; message: string };

/**
 * Decides how a payment's state changes its order. A pure function, so the number and sequence of calls do not matter. Only a
 * succeeded intent that was created for this order, for its total and in its currency, completes it.
 */
export function decideSettlement(order: OrderForSettlement, payment: ProviderPayment): Settlement {
  if (!order.intentIds.includes(payment.intentId)) {
    return payment.status === "succeeded"
      ? flag("foreign_intent", `Payment ${payment.intentId} names this order but was not made for it`)
      : { action: "none" };
  }
  if (payment.status === "canceled") {
    // A cancelled intent ends the order only if it is the newest one.
    return order.status === "pending" && order.intentIds.at(-1) === payment.intentId
      ? { action: "cancel" }
      : { action: "none" };
  }
  if (payment.status !== "succeeded") return { action: "none" };
  if (order.paidIntentId === payment.intentId) return { action: "none" };
  if (payment.amountReceived !== order.totalCents || payment.currency.toUpperCase() !== order.currency) {
    const received = `${payment.amountReceived} ${payment.currency.toUpperCase()}`;
    return flag(
      "amount_mismatch",
      `Payment ${payment.intentId} is for ${received}, but the order costs ${order.totalCents} ${order.currency}`,
    );
  }
  if (order.paidIntentId !== null) {
    return flag("second_payment", `Payment ${payment.intentId} paid this order a second time`);
  }
  if (order.status === "pending") return { action: "complete" };
  return order.status === "cancelled" ? { action: "complete_or_refund" } : { action: "none" };
}

export function paymentState(status: ProviderPayment["status"]): Exclude<PaymentState, "none"> {
  if (status === "succeeded") return "paid";
  return status === "processing" ? "processing" : "unpaid";
}

function flag(kind: Extract<Settlement, { action: "issue" }>["kind"], message: string): Settlement {
  return { action: "issue", kind, message };
}
