import { quantityMax } from "./cart-limits.ts";

/** Units of a line, and how many of them the last Buy Now put there; 0 once anything else has changed the cart. */
export type BoughtLine = { quantity: number; buyNowUnits: number };

/**
 * A line after Buy Now with `quantity` units; null: there was no such line. Pressed again with nothing changed since,
 * Buy Now puts its units in place of those that it put there before: a second tap, or one after Back, adds nothing, and
 * another quantity counts instead of the first. On top of what came into the cart in any other way it adds.
 */
export function afterBuyNow(line: BoughtLine | null, quantity: number): BoughtLine {
  const others = line === null ? 0 : line.quantity - line.buyNowUnits;
  const total = Math.min(quantityMax, others + quantity);
  return { quantity: total, buyNowUnits: total - others };
}
