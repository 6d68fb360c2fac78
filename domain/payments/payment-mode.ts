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
  // Live sales count, too, so that trying Stripe's test mode for a day does not hide them.
  test: ["test", "live"],
  sandbox: ["sandbox"],
};

/** Whether an order was placed in test mode, while the shop now accepts live payments: it must not ship. */
export function isTestOrder(mode: PaymentMode | null, shopMode: PaymentMode): boolean {
  return shopMode === "live" && mode !== null && mode !== "live";
}

/** The account of the keys that a payment was made with, or of the shop's current ones. Null if unknown. */
type PaymentKeys = {
  provider: PaymentSource;
  account: string | null;
  mode: PaymentMode | null;
};

/** Whether the current keys are known to have no access to a payment; the provider is then not asked. */
export function isOtherAccountOrMode(current: PaymentKeys, used: PaymentKeys): boolean {
  return (
    used.provider !== current.provider ||
    areKnownToDiffer(used.mode, current.mode) ||
    areKnownToDiffer(used.account, current.account)
  );
}

/** Whether both values are known and they differ. */
export function areKnownToDiffer(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a !== b;
}
