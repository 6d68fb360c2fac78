import type { PaymentState } from "../../../domain/orders/order.ts";
import type { OrderStatus } from "../../../domain/orders/order-status.ts";
import type { ProviderPayment } from "../../payment-providers/provider.ts";

export type OrderForSettlement = {
  status: OrderStatus;
  totalCents: number;
  currency: string;
  /** Of every payment this order was given, dead ones too, the intent; null: not known yet. Oldest first. */
  intentIds: readonly (string | null)[];
  /** The intent that already paid it, if one did. */
  paidIntentId: string | null;
};

export type Settlement =
  | { action: "none" }
  | { action: "complete" }
  /** Paid after it was cancelled: sell if stock allows, else give the money back. */
  | { action: "complete_or_refund" }
  /** The provider cancelled the payment: so is the order. */
  | { action: "cancel" }
  /** Money is there that must not be booked; the owner decides. */
  | { action: "issue"; kind: "foreign_intent" | "amount_mismatch" | "second_payment"; message: string };

/**
 * What a payment's truth means for its order. Pure, and the same however often and in whatever order the news
 * arrives: only a succeeded intent that is the order's own, in full and in its currency, moves it.
 */
export function settle(order: OrderForSettlement, truth: ProviderPayment): Settlement {
  if (!order.intentIds.includes(truth.intentId)) {
    return truth.status === "succeeded"
      ? flag("foreign_intent", `Payment ${truth.intentId} names this order but was not made for it`)
      : { action: "none" };
  }
  if (truth.status === "canceled") {
    // A dead intent that was replaced says nothing of the order; only its newest one does.
    return order.status === "pending" && order.intentIds.at(-1) === truth.intentId
      ? { action: "cancel" }
      : { action: "none" };
  }
  if (truth.status !== "succeeded") return { action: "none" };
  if (order.paidIntentId === truth.intentId) return { action: "none" };
  if (truth.amountReceived !== order.totalCents || truth.currency.toUpperCase() !== order.currency) {
    const got = `${truth.amountReceived} ${truth.currency.toUpperCase()}`;
    return flag(
      "amount_mismatch",
      `Payment ${truth.intentId} brought ${got}, the order is ${order.totalCents} ${order.currency}`,
    );
  }
  if (order.paidIntentId !== null) {
    return flag("second_payment", `Payment ${truth.intentId} paid this order a second time`);
  }
  if (order.status === "pending") return { action: "complete" };
  return order.status === "cancelled" ? { action: "complete_or_refund" } : { action: "none" };
}

/** A payment by itself, whatever became of its order. */
export function stateOfPayment(status: ProviderPayment["status"]): PaymentState {
  if (status === "succeeded") return "paid";
  return status === "processing" ? "processing" : "unpaid";
}

function flag(kind: Extract<Settlement, { action: "issue" }>["kind"], message: string): Settlement {
  return { action: "issue", kind, message };
}
