/** Maximum units of one product, and maximum number of products, in one cart. */
export const maxQuantity = 99;
export const maxCartLines = 50;

/** Clamps a typed or stored quantity to the permitted range; anything but a number becomes 1. */
export function clampQuantity(value: unknown): number {
  const quantity = typeof value === "string" ? Number.parseInt(value, 10) : Number(value);
  return Number.isFinite(quantity) ? Math.min(maxQuantity, Math.max(1, Math.trunc(quantity))) : 1;
}

/** Units of a line, and how many of them the last Buy Now added: 0 once the cart was changed in another way. */
type BoughtLine = { quantity: number; buyNowUnits: number };

/**
 * A line after Buy Now with `quantity` units; `line` is null for a new line. Repeated without another change in between, Buy Now
 * replaces the units it added before, so that a second tap, or one after Back, adds nothing and another quantity replaces
 * the first. Units added in another way stay, and Buy Now adds to them.
 */
export function afterBuyNow(line: BoughtLine | null, quantity: number): BoughtLine {
  const otherUnits = line === null ? 0 : line.quantity - line.buyNowUnits;
  const total = Math.min(maxQuantity, otherUnits + quantity);
  return { quantity: total, buyNowUnits: total - otherUnits };
}
