/** Label of the checkbox: "Email me in 8 weeks, when it may be time for a new bottle."; null: not offered. */
export function refillOffer(weeks: number): string | null {
  if (weeks === 0 || Number.isNaN(weeks)) return null;
  const after = weeks === 1 ? "a week" : `${weeks} weeks`;
  return `Email me ${after} after delivery, when it may be time for a new bottle.`;
}
