import type { Stripe } from "stripe";
import type {
  FraudWarning,
  Intent,
  PaymentReview,
  ProviderDispute,
  ProviderRefund,
  Session,
} from "../provider.ts";
import { orderIdIn, type ShopId } from "./metadata.ts";

export function toIntent(intent: Stripe.PaymentIntent, shopId: ShopId): Intent {
  return {
    intentId: intent.id,
    status: intentStatus(intent.status),
    providerStatus: intent.status,
    amount: intent.amount,
    amountReceived: intent.amount_received,
    amountRefunded: latestCharge(intent)?.amount_refunded ?? 0,
    paidWith: intent.status === "succeeded" ? paidWith(latestCharge(intent)) : null,
    isDisputed: latestCharge(intent)?.disputed ?? false,
    currency: intent.currency,
    clientSecret: intent.client_secret ?? "",
    declinedChargeId: intent.last_payment_error?.charge ?? null,
    orderId: orderIdIn(intent.metadata, shopId),
    createdAt: new Date(intent.created * 1000),
  };
}

/** The charge, if it was expanded in the intent. */
function latestCharge({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge | null {
  return typeof charge === "object" ? charge : null;
}

/** Intents that still accept a card, or wait for the shopper or the shop, are `requires_payment`. */
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

export function toSession(session: Stripe.Checkout.Session, shopId: ShopId): Session {
  return {
    id: session.id,
    url: session.url,
    status: sessionStatus(session.status),
    intentId: referenceId(session.payment_intent),
    orderId: orderIdIn(session.metadata, shopId),
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
    intentId: referenceId(refund.payment_intent) ?? "",
    amount: refund.amount,
    status: refundStatus(refund.status),
    failure: refundFailure(refund),
    createdAt: new Date(refund.created * 1000),
  };
}

function refundStatus(status: string | null): ProviderRefund["status"] {
  if (status === "succeeded") return "succeeded";
  return status === "failed" || status === "canceled" ? "failed" : "pending";
}

/** "lost_or_stolen_card" -> "lost or stolen card" */
function refundFailure({ status, failure_reason: reason }: Stripe.Refund): string | null {
  if (reason) return inWords(reason);
  return status === "canceled" ? "cancelled at the payment provider" : null;
}

/**
 * The withdrawn amount and the fees of a dispute are computed from its balance transactions. Reinstated money, including the part
 * that was refunded before, is subtracted.
 */
export function toDispute(dispute: Stripe.Dispute): ProviderDispute {
  const transactions = dispute.balance_transactions ?? [];
  const withdrawals = transactions.filter(({ amount }) => amount < 0);
  const reinstatements = transactions.filter(({ amount }) => amount > 0);
  const sum = (field: "amount" | "fee") =>
    transactions.reduce(
      (cents, transaction) => cents + inCurrency(transaction[field], transaction, dispute.currency),
      0,
    );
  // After a single withdrawal, the dispute's amount is exact; an amount converted from a balance in another currency is not.
  const withdrawn =
    withdrawals.length === 1 && reinstatements.length === 0 ? dispute.amount : Math.max(0, 0 - sum("amount"));
  return {
    id: dispute.id,
    intentId: referenceId(dispute.payment_intent) ?? "",
    amount: dispute.amount,
    withdrawn: dispute.status === "won" && reinstatements.length > 0 ? 0 : withdrawn,
    fee: Math.max(0, sum("fee")),
    reason: inWords(dispute.reason),
    status: disputeStatus(dispute.status),
    isInquiry: dispute.status.startsWith("warning_"),
    answers: dispute.evidence_details?.submission_count ?? 0,
    // `due_by` is 0 if the bank accepts no answer.
    evidenceDueAt: toDate(dispute.evidence_details?.due_by || null),
    createdAt: new Date(dispute.created * 1000),
    withdrawnAt: toDate(withdrawals[0]?.created ?? null),
    reinstatedAt: toDate(reinstatements.at(-1)?.created ?? null),
  };
}

/** Converts cents of the account's balance to the payment's currency, which may be another one. */
function inCurrency(
  cents: number,
  { currency, exchange_rate }: Stripe.BalanceTransaction,
  paymentCurrency: string,
): number {
  return currency === paymentCurrency || !exchange_rate ? cents : Math.round(cents / exchange_rate);
}

function disputeStatus(status: string): ProviderDispute["status"] {
  switch (status) {
    case "won":
    case "lost":
      return status;
    // A prevented dispute was settled before it began; its balance transactions show whether money was withdrawn.
    case "warning_closed":
    case "prevented":
      return "closed";
    default:
      return status.endsWith("needs_response") ? "needs_response" : "under_review";
  }
}

export function toFraudWarning(warning: Stripe.Radar.EarlyFraudWarning): FraudWarning {
  return {
    id: warning.id,
    intentId: referenceId(warning.payment_intent ?? null),
    fraudType: inWords(warning.fraud_type),
    isActionable: warning.actionable,
  };
}

export function toReview(review: Stripe.Review): PaymentReview {
  return {
    id: review.id,
    intentId: referenceId(review.payment_intent ?? null),
    isOpen: review.open,
    reason: inWords(review.reason),
  };
}

/** "product_not_received" -> "product not received" */
function inWords(code: string): string {
  return code.replaceAll("_", " ");
}

function toDate(seconds: number | null): Date | null {
  return seconds === null ? null : new Date(seconds * 1000);
}

function referenceId(reference: string | { id: string } | null): string | null {
  return typeof reference === "string" ? reference : (reference?.id ?? null);
}

/** Display names of card brands and payment methods that differ from Stripe's codes. */
const displayNames: Record<string, string> = {
  amex: "American Express",
  diners: "Diners Club",
  jcb: "JCB",
  paypal: "PayPal",
  us_bank_account: "Bank account",
  ideal: "iDEAL",
  apple_pay: "Apple Pay",
  google_pay: "Google Pay",
};

/** The payment method: "Visa ending in 4242", "Visa ending in 4242 (Apple Pay)", "PayPal"; null if Stripe does not know it. */
export function paidWith(charge: Pick<Stripe.Charge, "payment_method_details"> | null): string | null {
  const details = charge?.payment_method_details;
  if (!details) return null;
  const { card } = details;
  if (details.type !== "card" || !card) return displayName(details.type);
  const brand = card.brand === null || card.brand === "unknown" ? "Card" : displayName(card.brand);
  const number = card.last4 === null ? brand : `${brand} ending in ${card.last4}`;
  return card.wallet ? `${number} (${displayName(card.wallet.type)})` : number;
}

/** "customer_balance" -> "Customer balance" */
function displayName(word: string): string {
  return displayNames[word] ?? `${word.charAt(0).toUpperCase()}${word.slice(1).replaceAll("_", " ")}`;
}
