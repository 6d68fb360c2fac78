import { type AppliedDiscount, discountKinds } from "../../../domain/discounts/discount.ts";

const key = "checkout-discount";

/** The discount this browser tab has applied, kept over reloads and going back; the server checks it anew each time. */
export function readDiscount(): AppliedDiscount | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? "null");
    return isDiscount(kept) ? kept : null;
  } catch {
    return null;
  }
}

export function keepDiscount(discount: AppliedDiscount | null): void {
  try {
    if (discount) sessionStorage.setItem(key, JSON.stringify(discount));
    else sessionStorage.removeItem(key);
  } catch {
    // Full or forbidden storage: the code lasts as long as the page.
  }
}

function isDiscount(kept: unknown): kept is AppliedDiscount {
  if (typeof kept !== "object" || kept === null) return false;
  const { code, label, kind, value } = kept as Record<string, unknown>;
  const isNamed = typeof code === "string" && typeof label === "string";
  return isNamed && discountKinds.some((each) => each === kind) && Number.isSafeInteger(value);
}
