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

/** `a * b / divisor` in whole cents, half a cent rounded up. Exact: no floating point on the way. */
export function multiplyDivideHalfUp(a: number, b: number, divisor: number): number {
  const doubled = 2n * BigInt(a) * BigInt(b);
  return Number((doubled + BigInt(divisor)) / (2n * BigInt(divisor)));
}

/** Percent with up to three decimals (`8.875`) of an amount in cents, half up. */
export function percentOf(cents: number, percent: number): number {
  return multiplyDivideHalfUp(cents, Math.round(percent * 1000), 100_000);
}

/**
 * Splits `cents` over `weights` in proportion, so that the parts add up to `cents` exactly
 * (largest remainder; ties go to the earlier part). All weights zero: everything is zero.
 */
export function splitProportionally(cents: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (sum === 0) return weights.map(() => 0);
  const exact = weights.map((weight) => BigInt(cents) * BigInt(weight));
  const parts = exact.map((product) => Number(product / BigInt(sum)));
  const remainders = exact.map((product, index) => ({ index, rest: product % BigInt(sum) }));
  remainders.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1));
  let left = cents - parts.reduce((total, part) => total + part, 0);
  for (const { index } of remainders) {
    if (left === 0) break;
    parts[index] = (parts[index] ?? 0) + 1;
    left -= 1;
  }
  return parts;
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
