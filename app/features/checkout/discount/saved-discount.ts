import { type AppliedDiscount, discountKinds } from "../../../../domain/discounts/discount.ts";
import { readStoredJson, storeJson } from "../../browser-storage.ts";

const key = "checkout-discount";

/** The discount applied in this browser tab, which survives reloads and Back; the server checks it again each time. */
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
