/** `a * b / divisor` in whole cents, half a cent rounded up, computed without floating point. */
export function multiplyDivideHalfUp(a: number, b: number, divisor: number): number {
  const doubled = 2n * BigInt(a) * BigInt(b);
  return Number((doubled + BigInt(divisor)) / (2n * BigInt(divisor)));
}

/** Like `multiplyDivideHalfUp`, but rounded down. */
export function multiplyDivideDown(a: number, b: number, divisor: number): number {
  return Number((BigInt(a) * BigInt(b)) / BigInt(divisor));
}

/** Percent with up to three decimals (`8.875`) of an amount in cents, half up. */
export function applyPercent(cents: number, percent: number): number {
  return multiplyDivideHalfUp(cents, Math.round(percent * 1000), 100_000);
}

/**
 * Splits `cents` over `weights` in proportion, so that the parts add up to `cents` exactly
 * (largest remainder; ties go to the earlier part). If all weights are zero, all parts are.
 */
export function splitProportionally(cents: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (sum === 0) return weights.map(() => 0);
  const exact = weights.map((weight) => BigInt(cents) * BigInt(weight));
  const parts = exact.map((product) => Number(product / BigInt(sum)));
  const remainders = exact.map((product, index) => ({ index, rest: product % BigInt(sum) }));
  remainders.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1));
  let undistributed = cents - parts.reduce((total, part) => total + part, 0);
  for (const { index } of remainders) {
    if (undistributed === 0) break;
    parts[index] = (parts[index] ?? 0) + 1;
    undistributed -= 1;
  }
  return parts;
}
