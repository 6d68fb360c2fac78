import ChartColumn from "lucide-react/icons/chart-column";
import Table from "lucide-react/icons/table-2";
import { Link, useSearchParams } from "react-router";
import {
  type Grain,
  grains,
  type Overview,
  type SalesSlot,
  slotsOf,
} from "../../../../domain/overview/overview.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Card } from "../../../ui/card.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { withParam } from "../kit/address.ts";
import { type Column, DataTable } from "../kit/data-table.tsx";
import { slotWords } from "./period-words.ts";
import { bestOf, SalesChart } from "./sales-chart.tsx";

/** More bars would be too thin to distinguish. */
const barsMax = 100;
const slotNames: Record<Grain, string> = { day: "Day", week: "Week", month: "Month" };

/** Sales over time, as a bar chart or a table. */
export function SalesCard({ overview }: { overview: Overview }) {
  const [search] = useSearchParams();
  const isTable = search.get("view") === "table";
  const { by, series, figures } = overview;
  const best = bestOf(series);
  const total = `${slotWords(overview, "day")}. Total ${formatCents(figures.salesCents)}.`;
  return (
    <Card className="min-w-0 p-5 md:p-6">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 className="text-h3">Sales per {by}</h2>
        <div className="flex flex-wrap items-center gap-x-4">
          <GrainLinks overview={overview} />
          <Link
            to={withParam(search, "view", isTable ? null : "table")}
            replace
            preventScrollReset
            state={{ keepsFocus: true }}
            className="link inline-flex min-h-11 items-center gap-1.5 text-small"
          >
            <Icon glyph={isTable ? ChartColumn : Table} size="small" />
            {isTable ? "Show as chart" : "Show as table"}
          </Link>
        </div>
      </div>
      {isTable ? (
        <DataTable
          caption={`Sales per ${by}, ${total}`}
          columns={columnsOf(by, figures.chargedBackCents > 0)}
          rows={series}
          rowKey={({ from }) => from}
          empty={null}
        />
      ) : (
        <SalesChart chart={overview} label={`Sales per ${by}, ${total} Also there as a table.`} />
      )}
      <p className="mt-3 text-small text-ink-muted">
        {best
          ? `Best ${by}: ${slotWords(best, by)}, ${formatCents(best.salesCents)}.`
          : "Nothing was sold in this time."}
      </p>
    </Card>
  );
}

/** Day, week, month; only what makes more than one bar, and not too many. */
function GrainLinks({ overview }: { overview: Overview }) {
  const [search] = useSearchParams();
  const offered = grains.filter((grain) => {
    const { length } = slotsOf(overview, grain);
    return grain === overview.by || (length > 1 && length <= barsMax);
  });
  if (offered.length < 2) return null;
  return (
    <ul className="flex" aria-label="Bars">
      {offered.map((grain) => (
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

function columnsOf(by: Grain, hasChargebacks: boolean): Column<SalesSlot>[] {
  return [
    { key: "slot", header: slotNames[by], cell: (slot) => slotWords(slot, by) },
    { key: "orders", header: "Orders", align: "right", cell: ({ orders }) => orders.toLocaleString("en-US") },
    { key: "sales", header: "Sales", align: "right", cell: ({ salesCents }) => formatCents(salesCents) },
    {
      key: "refunds",
      header: "Refunds",
      align: "right",
      cell: ({ refundedCents }) => formatCents(refundedCents),
    },
    ...(hasChargebacks
      ? [
          {
            key: "chargebacks",
            header: "Chargebacks",
            align: "right" as const,
            cell: ({ chargedBackCents }: SalesSlot) => formatCents(chargedBackCents),
          },
        ]
      : []),
  ];
}
