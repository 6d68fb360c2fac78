import * as v from "valibot";
import type { PaymentSource } from "./providers.ts";

/** With live payments, with the provider's test cards, or simulated by the shop. */
export const paymentModeSchema = v.picklist(["live", "test", "sandbox"]);
export type PaymentMode = v.InferOutput<typeof paymentModeSchema>;

/**
 * Modes whose orders count in sales and donations while the shop is in a mode; orders of unknown mode always count. Test and
 * sandbox orders never count in live mode.
 */
export const countedModes: Record<PaymentMode, readonly PaymentMode[]> = {
  live: ["live"],
  // Trying Stripe's test mode for a day does not hide live sales.
  test: ["test", "live"],
  sandbox: ["sandbox"],
};

/** Whether an order was placed in test mode, while the shop now takes live payments: it must not ship. */
export function isTestOrder(mode: PaymentMode | null, shop: PaymentMode): boolean {
  return shop === "live" && mode !== null && mode !== "live";
}

/** The keys that a payment was made with, or the shop's current ones. Null: unknown. */
export type PaymentKeys = {
  provider: PaymentSource;
  account: string | null;
  mode: PaymentMode | null;
};

/** Whether the current keys cannot access a payment, as far as known: then the provider is not asked. */
export function isOtherAccountOrMode(present: PaymentKeys, of: PaymentKeys): boolean {
  return (
    of.provider !== present.provider || differ(of.mode, present.mode) || differ(of.account, present.account)
  );
}

/** Whether both are known and different. */
export function differ(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one !== other;
}
