import type { Stripe } from "stripe";
import type { Intent, ProviderRefund, Session } from "./provider.ts";
import { orderIdIn } from "./stripe-metadata.ts";

export function toIntent(intent: Stripe.PaymentIntent): Intent {
  return {
    intentId: intent.id,
    status: intentStatus(intent.status),
    providerStatus: intent.status,
    amount: intent.amount,
    amountReceived: intent.amount_received,
    amountRefunded: refundedOf(intent.latest_charge),
    currency: intent.currency,
    clientSecret: intent.client_secret ?? "",
    orderId: orderIdIn(intent.metadata),
    createdAt: new Date(intent.created * 1000),
  };
}

/** Known where the charge was asked for along with its intent. */
function refundedOf(charge: Stripe.PaymentIntent["latest_charge"]): number {
  return typeof charge === "object" && charge !== null ? charge.amount_refunded : 0;
}

/** What still takes a card, or waits for the shopper or for us, is `requires_payment`. */
function intentStatus(status: string): Intent["status"] {
  switch (status) {
    case "processing":
    case "succeeded":
    case "canceled":
      return status;
    default:
      return "requires_payment";
  }
}

export function toSession(session: Stripe.Checkout.Session): Session {
  return {
    id: session.id,
    url: session.url,
    status: sessionStatus(session.status),
    intentId: idOf(session.payment_intent),
    orderId: orderIdIn(session.metadata),
    amount: session.amount_total ?? 0,
    currency: session.currency ?? "",
  };
}

function sessionStatus(status: string | null): Session["status"] {
  return status === "complete" || status === "expired" ? status : "open";
}

export function toRefund(refund: Stripe.Refund): ProviderRefund {
  return {
    id: refund.id,
    refundId: refund.metadata?.refundId ?? null,
    intentId: idOf(refund.payment_intent) ?? "",
    amount: refund.amount,
    status: refundStatus(refund.status),
    failure: failureOf(refund),
    createdAt: new Date(refund.created * 1000),
  };
}

function refundStatus(status: string | null): ProviderRefund["status"] {
  if (status === "succeeded") return "succeeded";
  return status === "failed" || status === "canceled" ? "failed" : "pending";
}

/** "lost_or_stolen_card" -> "lost or stolen card" */
function failureOf({ status, failure_reason: reason }: Stripe.Refund): string | null {
  if (reason) return reason.replaceAll("_", " ");
  return status === "canceled" ? "cancelled at the payment provider" : null;
}

function idOf(reference: string | { id: string } | null): string | null {
  return typeof reference === "string" ? reference : (reference?.id ?? null);
}
