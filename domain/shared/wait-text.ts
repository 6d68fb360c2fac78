/** A duration in words: "40 seconds", "3 minutes", "5 hours". */
export function waitText(seconds: number): string {
  if (seconds <= 120) return `${seconds} seconds`;
  return seconds <= 2 * 60 * 60 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`;
}
