export const gramsPerOunce = 28.349523;

/** "2.1 oz"; null if it is not a number, as while one is being typed. */
export function ouncesText(grams: number): string | null {
  return Number.isFinite(grams) ? `${(grams / gramsPerOunce).toFixed(1)} oz` : null;
}

/** "15.2 cm"; null if it is not a number. */
export function centimetersText(inches: number): string | null {
  return Number.isFinite(inches) ? `${(inches * 2.54).toFixed(1)} cm` : null;
}
