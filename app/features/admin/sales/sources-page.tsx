import Compass from "lucide-react/icons/compass";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { periodSlots } from "../../../../domain/overview/overview.ts";
import {
  type CustomerMonth,
  repeatPercent,
  type SourceGroup,
  type SourceSums,
  type Sources,
} from "../../../../domain/sales/sources.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Card } from "../../../ui/card.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { AdminPage } from "../kit/admin-page.tsx";
import { CsvLink } from "../kit/list/csv-link.tsx";
import { type Column, DataTable } from "../kit/list/data-table.tsx";
import { FilterBar } from "../kit/list/filter-bar.tsx";
import { PeriodSwitch } from "../overview/period-switch.tsx";
import { formatBarPeriod } from "../overview/period-text.ts";
import { SalesChart, ViewLink } from "../overview/sales-card.tsx";
import { May } from "../rights.ts";

const groupNames: Record<SourceGroup, { header: string; unnamedLabel: string }> = {
  source: { header: "Source", unnamedLabel: "Unknown" },
  medium: { header: "Medium", unnamedLabel: "None named" },
  campaign: { header: "Campaign", unnamedLabel: "None named" },
  code: { header: "Discount", unnamedLabel: "Without a discount" },
};

/** Class of the second lines of a card on phones. */
const quietClass = "max-md:text-small max-md:text-ink-muted";
const formatCount = (number: number) => number.toLocaleString("en-US");
/** A figure, on phones with a label, because its column's header is not shown there. */
const figure = (text: string, label: string): ReactNode => (
  <>
    {text}
    <span className="md:hidden"> {label}</span>
  </>
);

/** Orders and money by where buyers came from, and what customers are worth by the month of their first order. */
export function SourcesPage({ sources, problem }: { sources: Sources; problem: string | null }) {
  const [search] = useSearchParams();
  const { by, from, to, totals, months } = sources;
  return (
    <AdminPage title="Where buyers come from">
      <section aria-labelledby="period">
        <PeriodSwitch id="period" path="/admin/sources" extraParam="by" period={sources} problem={problem} />
        <div className="mb-4">
          <FilterBar
            groups={[
              {
                title: "Grouped by",
                label: "Group orders",
                param: "by",
                options: [
                  { value: null, label: "Source" },
                  { value: "medium", label: "Medium" },
                  { value: "campaign", label: "Campaign" },
                  { value: "code", label: "Discount" },
                ],
              },
            ]}
          />
        </div>
        <SourceTable sources={sources} />
        <div className="mt-3 mb-8 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
          <div className="max-w-text min-w-0 flex-1 basis-48 text-small text-ink-muted">
            {totals.orders > 0 && (
              <p>
                Together {formatCount(totals.orders)} {totals.orders === 1 ? "order" : "orders"},{" "}
                {formatCents(totals.salesCents)} of sales and {formatCents(totals.netCents)} net
              </p>
            )}
            <details>
              <summary className="inline-flex min-h-11 cursor-pointer items-center underline decoration-line-strong underline-offset-4 md:min-h-6">
                How sources are counted
              </summary>
              <ul className="mt-1 grid list-disc gap-1 pl-4.5">
                <li>Net is what came in, less refunds and chargebacks of this period.</li>
                <li>Buyers who close the tab and come back later count as unknown.</li>
                <li>
                  To tell your posts apart, name each in its link, like{" "}
                  <span className="inline-block wrap-anywhere">
                    /?utm_source=instagram&amp;utm_campaign=spring
                  </span>
                  .
                </li>
              </ul>
            </details>
          </div>
          {sources.rows.length > 0 && <SourcesCsv query={{ from, to, by }} />}
        </div>
      </section>
      {months.length > 0 && <CustomerMonths months={months} isTable={search.get("view") === "table"} />}
    </AdminPage>
  );
}

function SourcesCsv({ query }: { query: Record<string, string> }) {
  return (
    <May call="GET /api/admin/sources.csv">
      <CsvLink href={`/api/admin/sources.csv?${new URLSearchParams(query)}`} />
    </May>
  );
}

type Row = SourceSums & { key: string; label: string; isNamed: boolean };

function SourceTable({ sources: { by, rows, others } }: { sources: Sources }) {
  const { header, unnamedLabel } = groupNames[by];
  const allRows: Row[] = [
    ...rows.map(({ name, ...sums }) => ({
      key: `${name === null}${name}`,
      label: name ?? unnamedLabel,
      isNamed: name !== null,
      ...sums,
    })),
    ...(others
      ? [{ key: "others", label: `${formatCount(others.groups)} others`, isNamed: false, ...others }]
      : []),
  ];
  const maxCents = Math.max(1, ...allRows.map(({ salesCents }) => salesCents));
  return (
    <DataTable<Row>
      caption={`Orders by ${header.toLowerCase()}, highest sales first`}
      rows={allRows}
      rowKey={({ key }) => key}
      empty={
        <EmptyState glyph={Compass} title="No sales in this period" boxed>
          With the first paid order, this page shows which sites, posts and newsletters bring buyers.
        </EmptyState>
      }
      columns={[
        {
          header,
          phone: "max-md:col-start-1 max-md:row-start-1",
          cell: ({ label, isNamed, salesCents }) => (
            <>
              <span className={`wrap-anywhere ${isNamed ? "font-medium" : "text-ink-muted"}`}>{label}</span>
              <span
                aria-hidden="true"
                className="mt-1.5 block h-1.5 rounded-full bg-forest-700 forced-colors:bg-[CanvasText]"
                style={{
                  width: `${Math.max(salesCents > 0 ? 1 : 0, Math.round((100 * salesCents) / maxCents))}%`,
                }}
              />
            </>
          ),
        },
        ...sumColumns,
      ]}
    />
  );
}

const sumColumns: Column<Row>[] = [
  {
    header: "Orders",
    align: "right",
    phone: `max-md:col-start-1 max-md:row-start-2 ${quietClass}`,
    cell: ({ orders }) => figure(formatCount(orders), orders === 1 ? "order" : "orders"),
  },
  {
    header: "Sales",
    align: "right",
    phone: "max-md:col-start-2 max-md:row-start-1 max-md:text-right max-md:font-semibold",
    cell: ({ salesCents }) => formatCents(salesCents),
  },
  {
    header: "Net",
    align: "right",
    phone: `max-md:col-start-2 max-md:row-start-2 max-md:text-right ${quietClass}`,
    cell: ({ netCents }) => (
      <>
        <span className="md:hidden">Net </span>
        {formatCents(netCents)}
      </>
    ),
  },
  {
    header: "First orders",
    align: "right",
    phone: `max-md:col-start-1 max-md:row-start-3 ${quietClass}`,
    cell: ({ firstOrders }) => (
      <>
        <span className={firstOrders === 0 ? "max-md:hidden" : ""}>{formatCount(firstOrders)}</span>
        {firstOrders > 0 && (
          <span className="md:hidden"> {firstOrders === 1 ? "first order" : "first orders"}</span>
        )}
      </>
    ),
  },
  {
    header: "Ordered again",
    align: "right",
    phone: `max-md:col-start-2 max-md:row-start-3 max-md:text-right ${quietClass}`,
    cell: ({ firstOrders, boughtAgain }) => {
      const percent = repeatPercent(boughtAgain, firstOrders);
      return percent === null ? (
        <span className="max-md:hidden">–</span>
      ) : (
        figure(`${percent}%`, "ordered again")
      );
    },
  },
];

/** Customers by the month of their first order: the average value as a chart, all figures as a table. */
function CustomerMonths({ months, isTable }: { months: CustomerMonth[]; isTable: boolean }) {
  const [newestMonth, oldestMonth] = [months[0]?.month ?? "", months.at(-1)?.month ?? ""];
  const byMonth = new Map(months.map((month) => [month.month, month]));
  const series = periodSlots({ from: `${oldestMonth}-01`, to: `${newestMonth}-28` }, "month").map((slot) => {
    const month = byMonth.get(slot.from.slice(0, 7));
    return { ...slot, salesCents: month ? valuePerCustomer(month) : 0 };
  });
  return (
    <section aria-labelledby="months">
      <div className="mb-2.5 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 id="months" className="text-h3">
          Value of a customer
        </h2>
        <div className="flex flex-wrap items-center justify-between gap-x-4 max-sm:w-full">
          <ViewLink />
          <SourcesCsv query={{ table: "months" }} />
        </div>
      </div>
      {isTable ? (
        <DataTable<CustomerMonth>
          caption="Customers by the month of their first order, newest first"
          rows={months}
          rowKey={({ month }) => month}
          columns={monthColumns}
          empty={null}
        />
      ) : (
        <Card className="min-w-0 px-4 pt-4 pb-3 md:px-5">
          <SalesChart
            chart={{ series, by: "month" }}
            label="Value of a customer by the month of the first order. Also available as a table."
          />
        </Card>
      )}
      <p className="mt-3 max-w-text text-small text-ink-muted">
        What a customer has paid to date on average, less refunds and chargebacks, by the month of the first
        order.
      </p>
    </section>
  );
}

const valuePerCustomer = ({ valueCents, customers }: CustomerMonth) => Math.round(valueCents / customers);

const monthColumns: Column<CustomerMonth>[] = [
  {
    header: "First order in",
    nowrap: true,
    phone: "max-md:col-start-1 max-md:row-start-1",
    cell: ({ month }) => formatBarPeriod({ from: `${month}-01`, to: `${month}-01` }, "month"),
  },
  {
    header: "Customers",
    align: "right",
    phone: `max-md:col-start-1 max-md:row-start-2 ${quietClass}`,
    cell: ({ customers }) => figure(formatCount(customers), customers === 1 ? "customer" : "customers"),
  },
  {
    header: "Orders",
    align: "right",
    phone: `max-md:col-start-1 max-md:row-start-3 ${quietClass}`,
    cell: ({ orders }) => figure(formatCount(orders), orders === 1 ? "order" : "orders"),
  },
  {
    header: "Ordered again",
    align: "right",
    phone: `max-md:col-start-2 max-md:row-start-3 max-md:text-right ${quietClass}`,
    cell: ({ boughtAgain, customers }) =>
      figure(`${repeatPercent(boughtAgain, customers)}%`, "ordered again"),
  },
  {
    header: "Value",
    align: "right",
    phone: `max-md:col-start-2 max-md:row-start-2 max-md:text-right ${quietClass}`,
    cell: ({ valueCents }) => figure(formatCents(valueCents), "together"),
  },
  {
    header: "Per customer",
    align: "right",
    phone: "max-md:col-start-2 max-md:row-start-1 max-md:text-right max-md:font-semibold",
    cell: (row) => figure(formatCents(valuePerCustomer(row)), "each"),
  },
];
