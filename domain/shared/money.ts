/** The only currency the shop trades in. */
export const currency = "USD";

/** Largest amount one order may come to, in cents: what card providers accept in one charge. */
export const orderTotalMaxCents = 99_999_999;

/** Smallest amount that can be paid, in cents: what card providers ask for in one charge. */
export const orderTotalMinCents = 50;

const formatter = new Intl.NumberFormat("en-US", { style: "currency", currency });

/** `3590` -> `"$35.90"`. Always two decimals. */
export function formatCents(cents: number): string {
  return formatter.format(cents / 100);
}

/** `5000` -> `"$50"`, `4950` -> `"$49.50"`: for thresholds inside sentences. */
export function formatCentsShort(cents: number): string {
  return cents % 100 === 0 ? formatCents(cents).slice(0, -3) : formatCents(cents);
}

/** `3590` -> `35.9`: dollars as a number, only for the older client's fields. */
export function centsToDollars(cents: number): number {
  return cents / 100;
}

/**
 * What somebody typed into a money field: `"29.95"` -> `2995`. Plain digits with at most two decimals. NaN for everything
 * else (signs, exponents, separators, parts of a cent): nothing is rounded or guessed.
 */
export function parseMoney(text: string): number {
  const [, dollars = "", cents = ""] = /^(?=\.?\d)(\d{0,9})(?:\.(\d{0,2}))?$/.exec(text.trim()) ?? [];
  return dollars + cents === "" ? Number.NaN : Number(dollars) * 100 + Number(cents.padEnd(2, "0"));
}

/**
 * A price of unknown unit, as carts of the older shop kept it in local storage: under 100 it is
 * dollars, else cents. Nothing else may guess like this. Not a price: null.
 */
export function legacyPriceToCents(value: unknown): number | null {
  const price = typeof value === "string" ? Number.parseFloat(value) : value;
  if (typeof price !== "number" || !Number.isFinite(price) || price < 0) return null;
  return Math.round(price < 100 ? price * 100 : price);
}
