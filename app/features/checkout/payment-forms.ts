import { type ComponentType, lazy } from "react";
import type { PaymentProviderName } from "../../../domain/payments/providers.ts";
import type { AddressForm } from "./address/address-form.ts";

/** What a provider's form gets. */
export type PaymentFormProps = {
  payment: { intentId: string; clientSecret: string; amountCents: number };
  /** Null where the provider needs none. */
  publishableKey: string | null;
  /** What the form need not ask for again; only a beginning, the card may be somebody else's. Null: not known. */
  buyer: AddressForm | null;
  onPaid: () => void;
  /** A slow way of paying has begun. */
  onProcessing: () => void;
  onBusy: (isBusy: boolean) => void;
  onStartAgain: () => void;
};

/** Each provider's form. A shop has one of them; the others' code is never loaded. */
export const paymentForms: Record<PaymentProviderName, ComponentType<PaymentFormProps>> = {
  stripe: lazy(() => import("./stripe/form.tsx")),
  sandbox: lazy(() => import("./sandbox/form.tsx")),
};
