import type { Stripe, StripeElements, StripeElementsOptions } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import type { AddressForm } from "../address/address-form.ts";
import {
  fetchOutcome,
  type PaymentOutcome,
  processingFailure,
  unexpectedFailure,
} from "../payment/payment-outcome.ts";

/** Longest wait for the provider's script: a blocked request may hang for minutes. */
const scriptTimeoutMs = 15_000;

/** Loads the provider's script; null on failure. No other code may load it. */
export function loadStripeScript(publishableKey: string): Promise<Stripe | null> {
  const timeout = new Promise<null>((resolve) => setTimeout(() => resolve(null), scriptTimeoutMs));
  return Promise.race([loadStripe(publishableKey).catch(() => null), timeout]);
}

/** Prepares the provider's form; null on failure. */
export async function openStripe(
  publishableKey: string,
  clientSecret: string,
): Promise<{ stripe: Stripe; elements: StripeElements } | null> {
  const stripe = await loadStripeScript(publishableKey);
  return stripe && { stripe, elements: stripe.elements({ clientSecret, appearance }) };
}

/** The buyer in Stripe's format. */
export function billingDetails({ firstName, lastName, email, ...address }: AddressForm) {
  const { line1, line2, city, state, postalCode: postal_code, country } = address;
  return {
    name: `${firstName.trim()} ${lastName.trim()}`,
    email: email.trim(),
    address: { line1, line2, city, state, postal_code, country },
  };
}

/**
 * Confirms the payment; leaves the page only if the payment method requires it. `clientSecret` is needed if the elements
 * were created before the payment.
 */
export async function confirmStripePayment(
  { stripe, ...payment }: { stripe: Stripe; elements: StripeElements; clientSecret?: string },
  intentId: string,
): Promise<PaymentOutcome> {
  try {
    const { error, paymentIntent } = await stripe.confirmPayment({
      ...payment,
      confirmParams: {
        return_url: `${location.origin}/checkout/success?session_id=${encodeURIComponent(intentId)}`,
      },
      redirect: "if_required",
    });
    if (error?.type === "card_error" || error?.type === "validation_error") {
      return { kind: "refused", message: error.message ?? "An error occurred with your payment" };
    }
    if (error) return fetchOutcome(intentId, unexpectedFailure);
    if (paymentIntent.status === "succeeded") return { kind: "paid" };
    if (paymentIntent.status === "processing") return { kind: "processing" };
    return unexpectedFailure;
  } catch {
    return fetchOutcome(intentId, processingFailure);
  }
}

/** The shop's colors for the provider's form, whose frame cannot use our styles. */
export const appearance: NonNullable<StripeElementsOptions["appearance"]> = {
  theme: "stripe",
  variables: {
    colorPrimary: "#233629",
    colorText: "#1D2A21",
    colorTextSecondary: "#565E53",
    colorDanger: "#9E2D1D",
    colorBackground: "#FFFDF9",
    borderRadius: "4px",
    fontFamily: "system-ui, -apple-system, Segoe UI, Arial, sans-serif",
  },
};
