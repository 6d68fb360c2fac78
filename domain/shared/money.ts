export const currency = "USD";

/** Maximum total of an order in cents, which card providers accept in one charge. */
export const maxOrderTotalCents = 99_999_999;

/** Minimum total in cents, which card providers require in one charge. */
export const minOrderTotalCents = 50;

const formatter = new Intl.NumberFormat("en-US", { style: "currency", currency });

/** `3590` -> `"$35.90"`, always with two decimals. */
export function formatCents(cents: number): string {
  return formatter.format(cents / 100);
}

/** `5000` -> `"$50"`, `4950` -> `"$49.50"`: for thresholds inside sentences. */
export function formatCentsShort(cents: number): string {
  return cents % 100 === 0 ? formatCents(cents).slice(0, -3) : formatCents(cents);
}

/** `3590` -> `35.9`: dollars for the older client's fields only. */
export function centsToDollars(cents: number): number {
  return cents / 100;
}

/**
 * Parses a typed amount: `"29.95"` -> `2995`. Digits with at most two decimals. NaN for anything else (signs, exponents,
 * separators, parts of a cent).
 */
export function parseMoney(text: string): number {
  const [, dollars = "", cents = ""] = /^(?=\.?\d)(\d{0,9})(?:\.(\d{0,2}))?$/.exec(text.trim()) ?? [];
  return dollars + cents === "" ? Number.NaN : Number(dollars) * 100 + Number(cents.padEnd(2, "0"));
}

/**
 * A price in a cart stored by the former shop, whose unit is unknown: below 100 it is dollars, otherwise cents. Not for any
 * other use. Null if it is not a price.
 */
export function legacyPriceToCents(value: unknown): number | null {
  const price = typeof value === "string" ? Number.parseFloat(value) : value;
  if (typeof price !== "number" || !Number.isFinite(price) || price < 0) return null;
  return Math.round(price < 100 ? price * 100 : price);
}
