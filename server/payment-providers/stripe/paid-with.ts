import type { Stripe } from "stripe";

/** Card brands and payment methods whose display names differ from Stripe's codes. */
const names: Record<string, string> = {
  amex: "American Express",
  diners: "Diners Club",
  jcb: "JCB",
  paypal: "PayPal",
  us_bank_account: "Bank account",
  ideal: "iDEAL",
  apple_pay: "Apple Pay",
  google_pay: "Google Pay",
};

/** "Visa ending in 4242", "Visa ending in 4242 (Apple Pay)", "PayPal"; null: Stripe does not say. */
export function paidWith(charge: Pick<Stripe.Charge, "payment_method_details"> | null): string | null {
  const details = charge?.payment_method_details;
  if (!details) return null;
  const { card } = details;
  if (details.type !== "card" || !card) return nameOf(details.type);
  const brand = card.brand === null || card.brand === "unknown" ? "Card" : nameOf(card.brand);
  const number = card.last4 === null ? brand : `${brand} ending in ${card.last4}`;
  return card.wallet ? `${number} (${nameOf(card.wallet.type)})` : number;
}

/** "customer_balance" -> "Customer balance" */
function nameOf(word: string): string {
  return names[word] ?? `${word.charAt(0).toUpperCase()}${word.slice(1).replaceAll("_", " ")}`;
}
