import type { Overview, SalesSlot } from "../../../../domain/overview/overview.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { slotLabel, slotWords } from "./period-words.ts";

type Chart = Pick<Overview, "series" | "by">;

/** Bars of sales, the best one in copper. Drawn twice, as letters would grow and shrink with one picture. */
export function SalesChart({ chart, label }: { chart: Chart; label: string }) {
  return (
    <>
      <Bars chart={chart} label={label} width={760} height={260} labelsMax={5} className="max-md:hidden" />
      <Bars chart={chart} label={label} width={318} height={220} labelsMax={3} className="md:hidden" />
    </>
  );
}

function Bars({
  chart: { series, by },
  label,
  width,
  height,
  labelsMax,
  className,
}: {
  chart: Chart;
  label: string;
  width: number;
  height: number;
  labelsMax: number;
  className: string;
}) {
  const ticks = ticksFor(Math.max(0, ...series.map(({ salesCents }) => salesCents)));
  const top = ticks.at(-1) ?? 1;
  const [left, ceiling, floor] = [48, 12, height - 28];
  const y = (cents: number) => floor - ((floor - ceiling) * cents) / top;
  const slot = (width - left) / series.length;
  const bar = Math.min(slot * 0.79, 64);
  const best = bestOf(series);
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      className={`h-auto w-full ${className}`}
    >
      {ticks.map((tick) => (
        <g key={tick}>
          <line
            x1={left}
            x2={width}
            y1={y(tick)}
            y2={y(tick)}
            className={tick === 0 ? "stroke-line-strong" : "stroke-line"}
          />
          <text x={left - 8} y={y(tick) + 4} textAnchor="end" className="fill-ink-muted text-[11px]">
            {tickWords(tick)}
          </text>
        </g>
      ))}
      {series.map((one, index) => (
        <rect
          key={one.from}
          x={left + slot * index + (slot - bar) / 2}
          y={y(one.salesCents)}
          width={bar}
          height={floor - y(one.salesCents)}
          rx={Math.min(2, bar / 4)}
          className={
            one === best
              ? "fill-copper-600 forced-colors:fill-[Highlight]"
              : "fill-forest-700 forced-colors:fill-[CanvasText]"
          }
        >
          <title>{`${slotWords(one, by)}: ${formatCents(one.salesCents)}`}</title>
        </rect>
      ))}
      {labelled(series.length, labelsMax).map((index) => {
        const one = series[index];
        const anchor = index === 0 ? "start" : index === series.length - 1 ? "end" : "middle";
        const x = anchor === "start" ? left + 2 : anchor === "end" ? width - 2 : left + slot * (index + 0.5);
        return (
          one && (
            <text
              key={one.from}
              x={x}
              y={height - 8}
              textAnchor={series.length === 1 ? "start" : anchor}
              className="fill-ink-muted text-[11px]"
            >
              {slotLabel(one, by)}
            </text>
          )
        );
      })}
    </svg>
  );
}

/** The first of those with the most; null where nothing was sold. */
export function bestOf(series: readonly SalesSlot[]): SalesSlot | null {
  return series.reduce<SalesSlot | null>(
    (best, one) => (one.salesCents > (best?.salesCents ?? 0) ? one : best),
    null,
  );
}

/** Which bars have words below, first and last among them. */
function labelled(count: number, most: number): number[] {
  const shown = Math.min(count, most);
  if (shown < 2) return count === 0 ? [] : [0];
  return [
    ...new Set(Array.from({ length: shown }, (_, index) => Math.round((index * (count - 1)) / (shown - 1)))),
  ];
}

const roundSteps = [1, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** Five round amounts from 0 up to where the tallest bar fits under. Cents. */
function ticksFor(mostCents: number): number[] {
  const least = Math.max(mostCents / 4, 100);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = (roundSteps.find((one) => one * power >= least) ?? 10) * power;
  return [0, 1, 2, 3, 4].map((count) => count * step);
}

/** "$240", "$1.5K", "$2M" */
function tickWords(cents: number): string {
  return new Intl.NumberFormat("en-US", {
    style: "currency",
    currency: "USD",
    notation: cents >= 1_000_000 ? "compact" : "standard",
    minimumFractionDigits: 0,
    maximumFractionDigits: cents > 0 && cents < 1_000 ? 2 : 1,
  }).format(cents / 100);
}
