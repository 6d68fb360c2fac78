/** Each provider has a folder in server/payment-providers/, and one in app/features/checkout/ for its form. */
export const paymentProviders = ["stripe", "sandbox"] as const;
export type PaymentProviderName = (typeof paymentProviders)[number];

/**
 * Sources of payments: a provider, `manual` for payments outside the shop, or `exchange` for units returned from another
 * order, whose payment covers the new one.
 */
export const paymentSources = [...paymentProviders, "manual", "exchange"] as const;
export type PaymentSource = (typeof paymentSources)[number];

/** Names within a sentence. */
export const providerNames: Record<PaymentProviderName, string> = {
  stripe: "Stripe",
  sandbox: "the sandbox",
};

/** Kinds of movements of the balance at the provider. */
export type BalanceEntryKind = "charge" | "refund" | "dispute" | "fee" | "payout" | "other";
