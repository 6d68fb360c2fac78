import { and, eq } from "drizzle-orm";
import { passesLuhn } from "../../../domain/payments/card-entry.ts";
import type { Database } from "../../platform/database/database.ts";
import { sandboxIntents } from "../tables.ts";
import type { Delivery } from "./delivery.ts";
import { attemptPayment, findIntent, isSecret, maxSandboxAttempts } from "./intents.ts";

export type Confirmation = {
  intentId: string;
  clientSecret: string;
  card: SandboxCard;
  /** Result of the bank's authentication, if it was required. */
  authentication?: "pass" | "fail";
};

export type ConfirmResult =
  | { ok: true; status: "succeeded" | "requires_action" }
  | { ok: false; reason: "declined"; code: string; message: string }
  | { ok: false; reason: "closed"; message: string }
  | { ok: false; reason: "not_found" };

/** Pays with a test card. Concurrent calls charge once; a paid intent stays paid. */
export async function confirmPayment(
  db: Database,
  delivery: Delivery,
  { intentId, clientSecret, card, authentication }: Confirmation,
): Promise<ConfirmResult> {
  const verdict = judgeCard(card, authentication, new Date());
  if (verdict.outcome !== "invalid") {
    const { intent, events } = await attemptPayment(db, { intentId, clientSecret, attempt: verdict });
    delivery.send(events);
    if (intent && verdict.outcome === "declined") return decline(verdict);
    if (intent) return { ok: true, status: verdict.outcome === "succeeds" ? "succeeded" : "requires_action" };
  }

  const intent = await findIntent(db, and(eq(sandboxIntents.id, intentId), isSecret(clientSecret)));
  if (!intent) return { ok: false, reason: "not_found" };
  if (intent.status === "succeeded") return { ok: true, status: "succeeded" };
  // Checked before the cancellation, because the shop cancels a payment after too many attempts.
  if (intent.failedAttempts >= maxSandboxAttempts)
    return refuseClosed("This payment was closed after too many tries.");
  if (intent.status === "canceled") return refuseClosed("This payment was cancelled.");
  return verdict.outcome === "invalid" ? decline(verdict) : refuseClosed("The time to pay is over.");
}

function decline({ code, message }: { code: string; message: string }): ConfirmResult {
  return { ok: false, reason: "declined", code, message };
}

function refuseClosed(message: string): ConfirmResult {
  return { ok: false, reason: "closed", message };
}

type SandboxCard = { number: string; expMonth: number; expYear: number; cvc: string };

/** How a card ends a payment attempt. */
export type Attempt =
  | { outcome: "succeeds" | "needs_authentication" }
  | { outcome: "declined"; code: string; message: string };
/** `invalid`: mistyped card data; not counted as an attempt. */
type CardVerdict = Attempt | { outcome: "invalid"; code: string; message: string };

/** The outcome of a test card, with Stripe's codes and messages. A card is valid to the end of its month. */
function judgeCard(card: SandboxCard, authentication: "pass" | "fail" | undefined, now: Date): CardVerdict {
  const number = card.number.replace(/[\s-]/g, "");
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) {
    return invalidVerdict("incorrect_number", "Your card number is incorrect.");
  }
  const expYear = card.expYear < 100 ? 2000 + card.expYear : card.expYear;
  const monthsLeft = expYear * 12 + card.expMonth - (now.getFullYear() * 12 + now.getMonth() + 1);
  if (expYear < now.getFullYear() || expYear > now.getFullYear() + 50) {
    return invalidVerdict("invalid_expiry_year", "Your card’s expiration year is invalid.");
  }
  if (card.expMonth < 1 || card.expMonth > 12 || monthsLeft < 0) {
    return invalidVerdict("invalid_expiry_month", "Your card’s expiration month is invalid.");
  }
  if (!/^\d{3,4}$/.test(card.cvc))
    return invalidVerdict("invalid_cvc", "Your card’s security code is invalid.");

  switch (number) {
    case "4242424242424242":
      return { outcome: "succeeds" };
    case "4000000000000002":
      return declineVerdict("card_declined", "Your card was declined.");
    case "4000000000009995":
      return declineVerdict("insufficient_funds", "Your card has insufficient funds.");
    case "4000002500003155":
      if (authentication === "pass") return { outcome: "succeeds" };
      if (authentication === undefined) return { outcome: "needs_authentication" };
      return declineVerdict(
        "payment_intent_authentication_failure",
        "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
      );
    default:
      return declineVerdict(
        "test_mode_live_card",
        "Your card was declined. Payments are simulated here, and only test cards work.",
      );
  }
}

function declineVerdict(code: string, message: string): CardVerdict {
  return { outcome: "declined", code, message };
}

function invalidVerdict(code: string, message: string): CardVerdict {
  return { outcome: "invalid", code, message };
}
