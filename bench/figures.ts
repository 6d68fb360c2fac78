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
const widths = { name: 46, value: 14, aim: 12 };

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
