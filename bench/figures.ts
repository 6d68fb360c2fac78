/** One measured figure. `aim`: at least so much, or at most. */
export type Figure = {
  name: string;
  value: number;
  unit: string;
  aim?: { least: number } | { most: number };
  /** Said beside it. */
  note?: string;
};

/** A full shop may be worse than a small one by so much. */
const growthMost = 0.2;
const widths = { name: 62, value: 14, aim: 12 };

/** One line per figure, with what it should be and whether it is. */
export function printFigures(title: string, figures: readonly Figure[]): void {
  console.log(`\n${title}`);
  for (const figure of figures) {
    const { name, aim, note = "" } = figure;
    const verdict = aim === undefined ? "" : isMet(figure) ? "met" : "NOT MET";
    console.log(`  ${row(name, shown(figure), aim ? aimText(figure) : "", verdict)} ${note}`.trimEnd());
  }
}

/** The same figures of a small and of a large shop side by side. */
export function printGrowth(title: string, before: readonly Figure[], after: readonly Figure[]): void {
  console.log(`\n${title}`);
  for (const large of after) {
    const small = before.find(({ name }) => name === large.name);
    if (!small) continue;
    const change = small.value === large.value ? 0 : large.value / small.value - 1;
    // Of times and bytes less is better.
    const worse = large.aim && "least" in large.aim ? -change : change;
    const percent = `${change < 0 ? "-" : "+"}${Math.abs(change * 100).toFixed(0)} %`;
    const verdict = worse < growthMost ? "met" : "NOT MET";
    console.log(`  ${row(large.name, shown(small), shown(large), percent)} ${verdict}`);
  }
}

/** Milliseconds that the same took in a small and in a large shop. */
export type Scale = { name: string; small: Wait; large: Wait };
export type Wait = { p50: number; p99: number };

/** What a large shop's owner waits at most (ms), and how many times as long as a small one's. */
const waitMostMs = 200;
const timesMost = 2;
/** Differences below are the machine's, not the shop's. */
const noiseMs = 10;

/** p50 and p99 of both sizes side by side. */
export function printScales(title: string, scales: readonly Scale[]): void {
  console.log(`\n${title}: p99 at most ${timesMost} times (${noiseMs} ms) more, and ${waitMostMs} ms`);
  for (const { name, small, large } of scales) {
    const isMet =
      large.p99 <= waitMostMs && large.p99 <= Math.max(small.p99 * timesMost, small.p99 + noiseMs);
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

function shown({ value, unit }: Pick<Figure, "value" | "unit">): string {
  const digits = Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) < 1 ? 3 : 2;
  return `${value.toFixed(digits)}${unit ? ` ${unit}` : ""}`;
}

function isMet({ value, aim }: Figure): boolean {
  if (!aim) return true;
  return "least" in aim ? value >= aim.least : value <= aim.most;
}

function aimText({ aim, unit }: Figure): string {
  if (!aim) return "";
  return "least" in aim ? `>= ${aim.least}` : `<= ${shown({ value: aim.most, unit })}`;
}
