import * as v from "valibot";
import type { PaymentSource } from "./providers.ts";

/** Where a payment is made: with real money, with the provider's test cards, or simulated by the shop itself. */
export const paymentModeSchema = v.picklist(["live", "test", "sandbox"]);
export type PaymentMode = v.InferOutput<typeof paymentModeSchema>;

/**
 * Whose orders count in sales and giving while the shop is in a mode; those of a mode that nobody knows count always. What
 * was no money never counts where money is real.
 */
export const countedModes: Record<PaymentMode, readonly PaymentMode[]> = {
  live: ["live"],
  // Whoever tries Stripe's test mode for a day goes on seeing what was sold.
  test: ["test", "live"],
  sandbox: ["sandbox"],
};

/** Whether an order was only a test, now that the shop takes real money: nobody paid for it, and nobody is to ship it. */
export function isTestOrder(mode: PaymentMode | null, shop: PaymentMode): boolean {
  return shop === "live" && mode !== null && mode !== "live";
}

/** Whose keys a payment was made with, or the shop has now. Null: not known. */
export type PaymentKeys = {
  provider: PaymentSource;
  account: string | null;
  mode: PaymentMode | null;
};

/** Whether keys cannot see a payment of others', as far as both are known: then the provider need not be asked. */
export function isOtherAccountOrMode(present: PaymentKeys, of: PaymentKeys): boolean {
  return (
    of.provider !== present.provider || differ(of.mode, present.mode) || differ(of.account, present.account)
  );
}

/** Known, and not the same. */
export function differ(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one !== other;
}
