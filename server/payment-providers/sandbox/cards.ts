import { passesLuhn } from "../../../domain/payments/card-entry.ts";

export type SandboxCard = { number: string; expMonth: number; expYear: number; cvc: string };

/** Result of a card at a payment attempt. */
export type Attempt =
  | { outcome: "succeeds" | "needs_authentication" }
  | { outcome: "declined"; code: string; message: string };
/** `invalid`: mistyped card data; not counted as an attempt. */
export type CardVerdict = Attempt | { outcome: "invalid"; code: string; message: string };

/** The test cards, with Stripe's codes and words. A card is valid to the end of its month. */
export function judgeCard(
  card: SandboxCard,
  authentication: "pass" | "fail" | undefined,
  now: Date,
): CardVerdict {
  const number = card.number.replace(/[\s-]/g, "");
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) {
    return invalid("incorrect_number", "Your card number is incorrect.");
  }
  const expYear = card.expYear < 100 ? 2000 + card.expYear : card.expYear;
  const monthsLeft = expYear * 12 + card.expMonth - (now.getFullYear() * 12 + now.getMonth() + 1);
  if (expYear < now.getFullYear() || expYear > now.getFullYear() + 50) {
    return invalid("invalid_expiry_year", "Your card's expiration year is invalid.");
  }
  if (card.expMonth < 1 || card.expMonth > 12 || monthsLeft < 0) {
    return invalid("invalid_expiry_month", "Your card's expiration month is invalid.");
  }
  if (!/^\d{3,4}$/.test(card.cvc)) return invalid("invalid_cvc", "Your card's security code is invalid.");

  switch (number) {
    case "4242424242424242":
      return { outcome: "succeeds" };
    case "4000000000000002":
      return declined("card_declined", "Your card was declined.");
    case "4000000000009995":
      return declined("insufficient_funds", "Your card has insufficient funds.");
    case "4000002500003155":
      if (authentication === "pass") return { outcome: "succeeds" };
      if (authentication === undefined) return { outcome: "needs_authentication" };
      return declined(
        "payment_intent_authentication_failure",
        "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
      );
    default:
      return declined(
        "test_mode_live_card",
        "Your card was declined. Payments are simulated here, and only test cards work.",
      );
  }
}

function declined(code: string, message: string): CardVerdict {
  return { outcome: "declined", code, message };
}

function invalid(code: string, message: string): CardVerdict {
  return { outcome: "invalid", code, message };
}
