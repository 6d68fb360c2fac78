const steps = [1, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** Five round amounts from 0 up to where the tallest bar fits under. Cents. */
export function ticksFor(mostCents: number): number[] {
  const least = Math.max(mostCents / 4, 100);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = (steps.find((one) => one * power >= least) ?? 10) * power;
  return [0, 1, 2, 3, 4].map((count) => count * step);
}

/** "$240", "$1.5K", "$2M" */
export function tickWords(cents: number): string {
  return new Intl.NumberFormat("en-US", {
    style: "currency",
    currency: "USD",
    notation: cents >= 1_000_000 ? "compact" : "standard",
    minimumFractionDigits: 0,
    maximumFractionDigits: cents > 0 && cents < 1_000 ? 2 : 1,
  }).format(cents / 100);
}
