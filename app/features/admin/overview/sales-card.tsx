import ChartColumn from "lucide-react/icons/chart-column";
import Table from "lucide-react/icons/table-2";
import { Link, useSearchParams } from "react-router";
import {
  type Grain,
  grains,
  type Overview,
  periodSlots,
  type SalesSlot,
} from "../../../../domain/overview/overview.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Card } from "../../../ui/card.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { type Column, DataTable } from "../kit/list/data-table.tsx";
import { withParam } from "../kit/list/search-params.ts";
import { formatBarLabel, formatBarPeriod } from "./period-text.ts";

/** With more bars, each would be too thin to distinguish. */
const maxBars = 100;
const slotNames: Record<Grain, string> = { day: "Day", week: "Week", month: "Month" };

/** Sales over time, as a bar chart or a table. */
export function SalesCard({ overview }: { overview: Overview }) {
  const [search] = useSearchParams();
  const isTable = search.get("view") === "table";
  const { by, series, figures } = overview;
  const highestBar = findHighestBar(series);
  const total = `${formatBarPeriod(overview, "day")}. Total ${formatCents(figures.salesCents)}.`;
  return (
    <Card className="min-w-0 px-4 pt-2.5 pb-4 md:px-5">
      <div className="mb-1.5 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 className="card-title">Sales per {by}</h2>
        <div className="flex flex-wrap items-center gap-x-4">
          <GrainLinks overview={overview} />
          <ViewLink />
        </div>
      </div>
      {isTable ? (
        <DataTable
          caption={`Sales per ${by}, ${total}`}
          columns={salesColumns(by, figures.chargedBackCents > 0)}
          rows={series}
          rowKey={({ from }) => from}
          empty={null}
        />
      ) : (
        <SalesChart chart={overview} label={`Sales per ${by}, ${total} Also available as a table.`} />
      )}
      <p className="mt-2 text-caption text-ink-muted">
        {highestBar
          ? `Best ${by} ${formatBarPeriod(highestBar, by)}: ${formatCents(highestBar.salesCents)}`
          : "Nothing was sold in this period."}
      </p>
    </Card>
  );
}

/** Switches between chart and table (`view` in the URL). */
export function ViewLink() {
  const [search] = useSearchParams();
  const isTable = search.get("view") === "table";
  return (
    <Link
      to={withParam(search, "view", isTable ? null : "table")}
      replace
      preventScrollReset
      state={{ keepsFocus: true }}
      className="link inline-flex min-h-11 items-center gap-1.5 text-small"
    >
      <Icon glyph={isTable ? ChartColumn : Table} size="small" />
      {isTable ? "As a chart" : "As a table"}
    </Link>
  );
}

/** Links to bars by day, week or month, if they give more than one bar and at most `maxBars`. */
function GrainLinks({ overview }: { overview: Overview }) {
  const [search] = useSearchParams();
  const choices = grains.filter((grain) => {
    const { length } = periodSlots(overview, grain);
    return grain === overview.by || (length > 1 && length <= maxBars);
  });
  if (choices.length < 2) return null;
  return (
    <ul className="flex" aria-label="Bars">
      {choices.map((grain) => (
        <li key={grain}>
          <Link
            to={withParam(search, "by", grain)}
            replace
            preventScrollReset
            state={{ keepsFocus: true }}
            aria-current={grain === overview.by ? "true" : undefined}
            className="inline-flex min-h-11 min-w-11 items-center justify-center px-2 text-small text-ink-muted no-underline hover:text-ink aria-[current=true]:font-semibold aria-[current=true]:text-ink"
          >
            {slotNames[grain]}
          </Link>
        </li>
      ))}
    </ul>
  );
}

const lessPhoneClass = "max-md:col-start-2 max-md:text-right max-md:text-small max-md:text-ink-muted";

function salesColumns(by: Grain, hasChargebacks: boolean): Column<SalesSlot>[] {
  return [
    {
      header: slotNames[by],
      phone: "max-md:col-start-1 max-md:row-start-1",
      cell: (slot) => formatBarPeriod(slot, by),
    },
    {
      header: "Orders",
      align: "right",
      phone: "max-md:col-start-1 max-md:row-start-2 max-md:text-small max-md:text-ink-muted",
      cell: ({ orders }) => (
        <>
          {orders.toLocaleString("en-US")}
          <span className="md:hidden">{orders === 1 ? " order" : " orders"}</span>
        </>
      ),
    },
    {
      header: "Sales",
      align: "right",
      phone: "max-md:col-start-2 max-md:row-start-1 max-md:text-right max-md:font-semibold",
      cell: ({ salesCents }) => formatCents(salesCents),
    },
    {
      header: "Refunds",
      align: "right",
      phone: `${lessPhoneClass} max-md:row-start-2`,
      cell: ({ refundedCents }) => (
        <>
          <span className="md:hidden">Refunds </span>
          {formatCents(refundedCents)}
        </>
      ),
    },
    ...(hasChargebacks
      ? [
          {
            header: "Chargebacks",
            align: "right" as const,
            phone: `${lessPhoneClass} max-md:row-start-3`,
            cell: ({ chargedBackCents }: SalesSlot) => (
              <>
                <span className="md:hidden">Chargebacks </span>
                {formatCents(chargedBackCents)}
              </>
            ),
          },
        ]
      : []),
  ];
}

type Bar = Pick<SalesSlot, "from" | "to" | "salesCents">;
type Chart = { series: readonly Bar[]; by: Grain };

/**
 * Bars of money, the highest one in copper. Drawn twice, because the labels of a single picture would scale with its width.
 */
export function SalesChart({ chart, label }: { chart: Chart; label: string }) {
  return (
    <>
      <Bars chart={chart} label={label} width={1040} height={230} maxLabels={5} className="max-md:hidden" />
      <Bars chart={chart} label={label} width={330} height={210} maxLabels={3} className="md:hidden" />
    </>
  );
}

function Bars({
  chart: { series, by },
  label,
  width,
  height,
  maxLabels,
  className,
}: {
  chart: Chart;
  label: string;
  width: number;
  height: number;
  maxLabels: number;
  className: string;
}) {
  const ticks = ticksFor(Math.max(0, ...series.map(({ salesCents }) => salesCents)));
  const top = ticks.at(-1) ?? 1;
  // The edges of the plot leave room for the amounts on the left and the dates below.
  const [left, ceiling, floor] = [48, 12, height - 28];
  const y = (cents: number) => floor - ((floor - ceiling) * cents) / top;
  const slot = (width - left) / series.length;
  const barWidth = Math.min(slot * 0.79, 64);
  const highestBar = findHighestBar(series);
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
          <text x={left - 8} y={y(tick) + 4} textAnchor="end" className="fill-ink-muted text-[12px]">
            {tickText(tick)}
          </text>
        </g>
      ))}
      {series.map((bar, index) => (
        <rect
          key={bar.from}
          x={left + slot * index + (slot - barWidth) / 2}
          y={y(bar.salesCents)}
          width={barWidth}
          height={floor - y(bar.salesCents)}
          rx={Math.min(2, barWidth / 4)}
          className={
            bar === highestBar
              ? "fill-copper-600 forced-colors:fill-[Highlight]"
              : "fill-forest-700 forced-colors:fill-[CanvasText]"
          }
        >
          <title>{`${formatBarPeriod(bar, by)}: ${formatCents(bar.salesCents)}`}</title>
        </rect>
      ))}
      {labeledBars(series.length, maxLabels).map((index) => {
        const bar = series[index];
        // Labels are centered below wide bars; below narrow ones, the first and the last label would leave the picture.
        const anchor =
          slot >= 72 ? "middle" : index === 0 ? "start" : index === series.length - 1 ? "end" : "middle";
        const x = anchor === "start" ? left + 2 : anchor === "end" ? width - 2 : left + slot * (index + 0.5);
        return (
          bar && (
            <text
              key={bar.from}
              x={x}
              y={height - 8}
              textAnchor={anchor}
              className="fill-ink-muted text-[12px]"
            >
              {formatBarLabel(bar, by)}
            </text>
          )
        );
      })}
    </svg>
  );
}

/** The first bar with the highest sales; null if nothing was sold. */
function findHighestBar(series: readonly Bar[]): Bar | null {
  return series.reduce<Bar | null>(
    (highest, bar) => (bar.salesCents > (highest?.salesCents ?? 0) ? bar : highest),
    null,
  );
}

/** Indexes of the bars that get a label, always including the first and the last. */
function labeledBars(count: number, maxLabels: number): number[] {
  const labels = Math.min(count, maxLabels);
  if (labels < 2) return count === 0 ? [] : [0];
  return [
    ...new Set(
      Array.from({ length: labels }, (_, index) => Math.round((index * (count - 1)) / (labels - 1))),
    ),
  ];
}

const roundSteps = [1, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** Five round amounts in cents, from 0 to at least the tallest bar. */
function ticksFor(tallestCents: number): number[] {
  const minStep = Math.max(tallestCents / 4, 100);
  const power = 10 ** Math.floor(Math.log10(minStep));
  const step = (roundSteps.find((roundStep) => roundStep * power >= minStep) ?? 10) * power;
  return [0, 1, 2, 3, 4].map((count) => count * step);
}

/** Such as "$240", "$1.5K" or "$2M". */
function tickText(cents: number): string {
  return new Intl.NumberFormat("en-US", {
    style: "currency",
    currency: "USD",
    notation: cents >= 1_000_000 ? "compact" : "standard",
    minimumFractionDigits: 0,
    maximumFractionDigits: cents > 0 && cents < 1_000 ? 2 : 1,
  }).format(cents / 100);
}
