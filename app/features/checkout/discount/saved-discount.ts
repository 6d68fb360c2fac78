import { type AppliedDiscount, discountKinds } from "../../../../domain/discounts/discount.ts";
import { readStoredJson, storeJson } from "../../browser-storage.ts";

const key = "checkout-discount";

/** The discount this browser tab has applied, kept over reloads and going back; the server checks it anew each time. */
export function readDiscount(): AppliedDiscount | null {
  const saved = readStoredJson("session", key);
  return isDiscount(saved) ? saved : null;
}

export function saveDiscount(discount: AppliedDiscount | null): void {
  storeJson("session", key, discount);
}

function isDiscount(saved: unknown): saved is AppliedDiscount {
  if (typeof saved !== "object" || saved === null) return false;
  const { code, label, kind, value } = saved as Record<string, unknown>;
  const isNamed = typeof code === "string" && typeof label === "string";
  return isNamed && discountKinds.some((each) => each === kind) && Number.isSafeInteger(value);
}
