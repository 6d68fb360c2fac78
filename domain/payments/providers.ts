/** Who takes payments. Each has a folder in server/payments/ and, for what a shopper fills in, one in app/features/checkout/. */
export const paymentProviders = ["stripe", "sandbox"] as const;
export type PaymentProviderName = (typeof paymentProviders)[number];

/** Where an order's money can come from: a provider, or, as the owner says, outside the shop (`manual`). */
export const paymentSources = [...paymentProviders, "manual"] as const;
export type PaymentSource = (typeof paymentSources)[number];

/** As they stand within a sentence. */
export const providerNames: Record<PaymentProviderName, string> = {
  stripe: "Stripe",
  sandbox: "the sandbox",
};
