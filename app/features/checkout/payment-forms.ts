import { type ComponentType, lazy } from "react";
import type { PaymentProviderName } from "../../../domain/payments/providers.ts";
import type { AddressForm } from "./address/address-form.ts";

export type PaymentFormProps = {
  payment: { intentId: string; clientSecret: string; amountCents: number };
  /** Null if the provider needs none. */
  publishableKey: string | null;
  /** Prefills the form; the card may belong to another person. Null: unknown. */
  buyer: AddressForm | null;
  onPaid: () => void;
  /** Called for a payment that takes days. */
  onProcessing: () => void;
  onBusy: (isBusy: boolean) => void;
  onStartAgain: () => void;
};

/** Each provider's form; only that of the shop's provider is loaded. */
export const paymentForms: Record<PaymentProviderName, ComponentType<PaymentFormProps>> = {
  stripe: lazy(() => import("./stripe/form.tsx").catch(reloadOnce)),
  sandbox: lazy(() => import("./sandbox/form.tsx").catch(reloadOnce)),
};

const reloadedKey = "payment-form-reloaded";
const reloadPauseMs = 60_000;

/**
 * If the connection is lost for a moment, the browser does not request a module again that it could not load, and every module
 * that imports it fails. Reloads the page, which opens the same payment.
 */
function reloadOnce(error: unknown): Promise<never> {
  const reloadedAt = Number(sessionStorage.getItem(reloadedKey));
  if (!navigator.onLine || Date.now() - reloadedAt < reloadPauseMs) throw error;
  sessionStorage.setItem(reloadedKey, String(Date.now()));
  window.location.reload();
  return new Promise(() => {});
}
