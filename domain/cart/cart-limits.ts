/** Maximum units of one product, and maximum number of products, in one cart. */
export const quantityMax = 99;
export const cartLinesMax = 50;

/** Rounds a typed or stored quantity into the permitted range; anything but a number becomes 1. */
export function clampQuantity(value: unknown): number {
  const quantity = typeof value === "string" ? Number.parseInt(value, 10) : Number(value);
  return Number.isFinite(quantity) ? Math.min(quantityMax, Math.max(1, Math.trunc(quantity))) : 1;
}
