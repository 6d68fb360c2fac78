import { type ComponentType, lazy } from "react";
import type { PaymentProviderName } from "../../../domain/payments/providers.ts";
import type { AddressForm } from "./address/address-form.ts";

export type PaymentFormProps = {
  payment: { intentId: string; clientSecret: string; amountCents: number };
  /** The provider's public API key; null if it needs none. */
  publishableKey: string | null;
  /**
   * Default values of the form; the buyer can change them, because the card may belong to another person. Null if
   * unknown.
   */
  buyer: AddressForm | null;
  onPaid: () => void;
  /** Called for a payment that takes days. */
  onProcessing: () => void;
  onBusy: (isBusy: boolean) => void;
  onStartAgain: () => void;
};

/** The form of each provider; only the form of the shop's provider is loaded. */
export const paymentForms: Record<PaymentProviderName, ComponentType<PaymentFormProps>> = {
  stripe: lazy(() => import("./stripe/form.tsx").catch(reloadOnce)),
  sandbox: lazy(() => import("./sandbox/form.tsx").catch(reloadOnce)),
};

const reloadedKey = "payment-form-reloaded";
const minReloadIntervalMs = 60_000;

/**
 * Browsers do not request a module again that has failed to load, so after a short loss of connection the form could never
 * be opened. Reloads the page, which opens the same payment; at most once a minute.
 */
function reloadOnce(error: unknown): Promise<never> {
  const reloadedAt = Number(sessionStorage.getItem(reloadedKey));
  if (!navigator.onLine || Date.now() - reloadedAt < minReloadIntervalMs) throw error;
  sessionStorage.setItem(reloadedKey, String(Date.now()));
  window.location.reload();
  return new Promise(() => {});
}
