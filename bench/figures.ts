/** One measured figure with its target: a minimum or a maximum. */
export type Figure = {
  name: string;
  value: number;
  unit: string;
  target?: { min: number } | { max: number };
  /** Printed after the target. */
  note?: string;
};

/** Largest acceptable deterioration from a small to a large shop. */
const maxGrowth = 0.2;
const widths = { name: 62, value: 14, target: 12 };

/** Prints one line per figure, with its target and whether it is met. */
export function printFigures(title: string, figures: readonly Figure[]): void {
  console.log(`\n${title}`);
  for (const figure of figures) {
    const { name, target, note = "" } = figure;
    const verdict = target === undefined ? "" : isMet(figure) ? "met" : "NOT MET";
    console.log(
      `  ${row(name, formatValue(figure), target ? targetText(figure) : "", verdict)} ${note}`.trimEnd(),
    );
  }
}

/** Prints the figures of a small and of a large shop side by side. */
export function printGrowth(title: string, smallShop: readonly Figure[], largeShop: readonly Figure[]): void {
  console.log(`\n${title}`);
  for (const large of largeShop) {
    const small = smallShop.find(({ name }) => name === large.name);
    if (!small) continue;
    const change = small.value === large.value ? 0 : large.value / small.value - 1;
    // Times and bytes are better when they are smaller.
    const deterioration = large.target && "min" in large.target ? -change : change;
    const percent = `${change < 0 ? "-" : "+"}${Math.abs(change * 100).toFixed(0)} %`;
    const verdict = deterioration < maxGrowth ? "met" : "NOT MET";
    console.log(`  ${row(large.name, formatValue(small), formatValue(large), percent)} ${verdict}`);
  }
}

/** Milliseconds that the same action took in a small and in a large shop. */
export type Comparison = { name: string; small: Wait; large: Wait };
export type Wait = { p50: number; p99: number };

/** Targets of p99 in a large shop: in milliseconds, and in relation to a small shop. */
const maxWaitMs = 200;
const maxRatio = 2;
/** Smaller differences are measurement noise. */
const noiseMs = 10;

/** Prints p50 and p99 of both sizes side by side. */
export function printComparisons(title: string, comparisons: readonly Comparison[]): void {
  console.log(
    `\n${title}: p99 at most ${maxWaitMs} ms, and at most ${maxRatio} times that of the small shop (or ${noiseMs} ms above it)`,
  );
  for (const { name, small, large } of comparisons) {
    const isMet = large.p99 <= maxWaitMs && large.p99 <= Math.max(small.p99 * maxRatio, small.p99 + noiseMs);
    const ratio = `x${(large.p99 / small.p99).toFixed(1)}`;
    console.log(`  ${row(name, formatWait(small), formatWait(large), ratio)} ${isMet ? "met" : "NOT MET"}`);
  }
}

/** Largest acceptable ratio of the medians of a list in a large and in a small shop. */
const maxMedianRatio = 1.5;

/** Prints the medians of both sizes side by side, the largest ratios first. */
export function printMedians(title: string, comparisons: readonly Comparison[]): void {
  console.log(`\n${title}: medians at most ${maxMedianRatio} times those of the small shop`);
  const latencyRatio = ({ small, large }: Comparison) => large.p50 / small.p50;
  for (const comparison of comparisons.toSorted((a, b) => latencyRatio(b) - latencyRatio(a))) {
    const { name, small, large } = comparison;
    const [first, second] = [small, large].map(({ p50 }) => `${p50.toFixed(1)} ms`);
    const verdict = latencyRatio(comparison) <= maxMedianRatio ? "met" : "NOT MET";
    console.log(
      `  ${row(name, first ?? "", second ?? "", `x${latencyRatio(comparison).toFixed(2)}`)} ${verdict}`,
    );
  }
}

function formatWait({ p50, p99 }: Wait): string {
  return `${p50.toFixed(0)}, ${p99.toFixed(0)} ms`;
}

function row(name: string, value: string, second: string, third: string): string {
  return `${name.padEnd(widths.name)} ${value.padStart(widths.value)} ${second.padStart(widths.target)}  ${third.padEnd(7)}`;
}

function formatValue({ value, unit }: Pick<Figure, "value" | "unit">): string {
  const digits = Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) < 1 ? 3 : 2;
  return `${value.toFixed(digits)}${unit ? ` ${unit}` : ""}`;
}

function isMet({ value, target }: Figure): boolean {
  if (!target) return true;
  return "min" in target ? value >= target.min : value <= target.max;
}

function targetText({ target, unit }: Figure): string {
  if (!target) return "";
  return "min" in target ? `>= ${target.min}` : `<= ${formatValue({ value: target.max, unit })}`;
}

/** A percentile of unsorted numbers; `share` 0.5 is the median. NaN if there are none. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(numbers: readonly number[]): number {
  return percentile(numbers, 0.5);
}
