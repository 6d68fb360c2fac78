/** Where a payment is made: with real money, with the provider's test cards, or simulated by the shop itself. */
export type PaymentMode = "live" | "test" | "sandbox";
