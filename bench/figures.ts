/** One measured figure with its target: a minimum or a maximum. */
export type Figure = {
  name: string;
  value: number;
  unit: string;
  aim?: { least: number } | { most: number };
  /** Printed after the target. */
  note?: string;
};

/** Largest acceptable change for the worse between a small shop and a full one. */
const growthMax = 0.2;
const widths = { name: 62, value: 14, aim: 12 };

/** Prints one line per figure, with its target and whether it is met. */
export function printFigures(title: string, figures: readonly Figure[]): void {
  console.log(`\n${title}`);
  for (const figure of figures) {
    const { name, aim, note = "" } = figure;
    const verdict = aim === undefined ? "" : isMet(figure) ? "met" : "NOT MET";
    console.log(`  ${row(name, formatValue(figure), aim ? aimText(figure) : "", verdict)} ${note}`.trimEnd());
  }
}

/** Prints the figures of a small and of a large shop side by side. */
export function printGrowth(title: string, before: readonly Figure[], after: readonly Figure[]): void {
  console.log(`\n${title}`);
  for (const large of after) {
    const small = before.find(({ name }) => name === large.name);
    if (!small) continue;
    const change = small.value === large.value ? 0 : large.value / small.value - 1;
    // Times and bytes are better when they are smaller.
    const worse = large.aim && "least" in large.aim ? -change : change;
    const percent = `${change < 0 ? "-" : "+"}${Math.abs(change * 100).toFixed(0)} %`;
    const verdict = worse < growthMax ? "met" : "NOT MET";
    console.log(`  ${row(large.name, formatValue(small), formatValue(large), percent)} ${verdict}`);
  }
}

/** Milliseconds that the same action took in a small and in a large shop. */
export type Comparison = { name: string; small: Wait; large: Wait };
export type Wait = { p50: number; p99: number };

/** Targets of p99 in a large shop: in milliseconds, and in relation to a small shop. */
const waitMaxMs = 200;
const ratioMax = 2;
/** Smaller differences are noise of the machine. */
const noiseMs = 10;

/** Prints p50 and p99 of both sizes side by side. */
export function printComparisons(title: string, comparisons: readonly Comparison[]): void {
  console.log(`\n${title}: p99 at most ${ratioMax} times (${noiseMs} ms) more, and ${waitMaxMs} ms`);
  for (const { name, small, large } of comparisons) {
    const isMet = large.p99 <= waitMaxMs && large.p99 <= Math.max(small.p99 * ratioMax, small.p99 + noiseMs);
    const ratio = `x${(large.p99 / small.p99).toFixed(1)}`;
    console.log(`  ${row(name, bothOf(small), bothOf(large), ratio)} ${isMet ? "met" : "NOT MET"}`);
  }
}

function bothOf({ p50, p99 }: Wait): string {
  return `${p50.toFixed(0)}, ${p99.toFixed(0)} ms`;
}

function row(name: string, value: string, second: string, third: string): string {
  return `${name.padEnd(widths.name)} ${value.padStart(widths.value)} ${second.padStart(widths.aim)}  ${third.padEnd(7)}`;
}

function formatValue({ value, unit }: Pick<Figure, "value" | "unit">): string {
  const digits = Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) < 1 ? 3 : 2;
  return `${value.toFixed(digits)}${unit ? ` ${unit}` : ""}`;
}

function isMet({ value, aim }: Figure): boolean {
  if (!aim) return true;
  return "least" in aim ? value >= aim.least : value <= aim.most;
}

function aimText({ aim, unit }: Figure): string {
  if (!aim) return "";
  return "least" in aim ? `>= ${aim.least}` : `<= ${formatValue({ value: aim.most, unit })}`;
}

/** A percentile of unsorted numbers; `share` 0.5 is the median. NaN if there are none. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(numbers: readonly number[]): number {
  return percentile(numbers, 0.5);
}
