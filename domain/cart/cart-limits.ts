/** Units of one product, and different products, that one cart may hold. */
export const quantityMax = 99;
export const cartLinesMax = 50;

/** A typed or stored quantity made whole and allowed; what is no number becomes 1. */
export function clampQuantity(value: unknown): number {
  const quantity = typeof value === "string" ? Number.parseInt(value, 10) : Number(value);
  return Number.isFinite(quantity) ? Math.min(quantityMax, Math.max(1, Math.trunc(quantity))) : 1;
}
