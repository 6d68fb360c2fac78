/** Who takes payments. Each has a folder in server/payments/ and, for what a shopper fills in, one in app/features/checkout/. */
export const paymentProviders = ["stripe", "sandbox"] as const;
export type PaymentProviderName = (typeof paymentProviders)[number];

/** As they stand within a sentence. */
export const providerNames: Record<PaymentProviderName, string> = {
  stripe: "Stripe",
  sandbox: "the sandbox",
};
