import * as v from "valibot";
import type { PaymentSource } from "./providers.ts";

/** `live`: real payments; `test`: the provider's test cards; `sandbox`: simulated by the shop. */
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

/** Whether an order was placed in test mode, while the shop now accepts live payments: it must not ship. */
export function isTestOrder(mode: PaymentMode | null, shopMode: PaymentMode): boolean {
  return shopMode === "live" && mode !== null && mode !== "live";
}

/** The keys that a payment was made with, or the shop's current ones. Null: unknown. */
type PaymentKeys = {
  provider: PaymentSource;
  account: string | null;
  mode: PaymentMode | null;
};

/** Whether the current keys cannot access a payment, as far as known; the provider is not asked then. */
export function isOtherAccountOrMode(current: PaymentKeys, used: PaymentKeys): boolean {
  return (
    used.provider !== current.provider ||
    areKnownToDiffer(used.mode, current.mode) ||
    areKnownToDiffer(used.account, current.account)
  );
}

/** Whether neither is unknown and they differ. */
export function areKnownToDiffer(mode: string | null, otherMode: string | null): boolean {
  return mode !== null && otherMode !== null && mode !== otherMode;
}
