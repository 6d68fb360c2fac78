/** Of numbers in any order; `share` 0.5 is the median. NaN of none. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(numbers: readonly number[]): number {
  return percentile(numbers, 0.5);
}
