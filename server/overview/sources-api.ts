import * as v from "valibot";
import {
  repeatPercent,
  type SourceGroup,
  type SourceSums,
  sourceGroups,
  sourcesSchema,
  sourceTables,
} from "../../domain/sales/sources.ts";
import { addDays, startOfDay } from "../../domain/shared/zoned-days.ts";
import { dataEnvelope, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import { refreshCustomers } from "../customers/refresh.ts";
import { csvHeaders, csvStream } from "../platform/csv.ts";
import { readCustomerMonths, readSources } from "../sales/sources.ts";
import { periodQuery, readPeriod } from "./period.ts";

const shared = { tag: "Admin", access: "admin", roles: ["staff"] } as const;
const groupBy = v.optional(
  v.picklist(sourceGroups, `One of ${sourceGroups.join(", ")}`),
  "source" satisfies SourceGroup,
);

/** Maximum numbers of groups and months on the page; files have all of them. */
const groupsShown = 50;
const monthsShown = 36;

/** Where buyers come from, and what customers are worth. */
export const sourcesApi = [
  route("GET /api/admin/sources", {
    ...shared,
    summary:
      "Orders and money of a period by where the buyers came from, and customers by the month of their first order; dates as in the overview",
    query: v.object({ ...periodQuery, by: groupBy }),
    response: dataEnvelope(sourcesSchema),
    responses: {
      200: `\`{from, to, today, by, rows, others, totals, months}\`; ${groupsShown} groups and ${monthsShown} months at most; amounts in cents`,
    },
    async handle(ctx, { query }) {
      const period = await readPeriod(ctx, query);
      if ("problem" in period) return period;
      await refreshCustomers(ctx);
      const { from, to, today, timeZone } = period;
      const [groups, months] = await Promise.all([
        readGroups(ctx, { ...period, by: query.by }),
        readCustomerMonths(ctx.db, { timeZone, months: monthsShown }),
      ]);
      const furtherGroups = groups.slice(groupsShown);
      return ok({
        from,
        to,
        today,
        by: query.by,
        rows: groups.slice(0, groupsShown),
        others: furtherGroups.length === 0 ? null : { groups: furtherGroups.length, ...addUp(furtherGroups) },
        totals: addUp(groups),
        months,
      });
    },
  }),
  route("GET /api/admin/sources.csv", {
    ...shared,
    roles: [],
    summary: "One of its tables as CSV: all `sources` of the period, or all `months`",
    downloads: true,
    query: v.object({
      ...periodQuery,
      by: groupBy,
      table: v.optional(v.picklist(sourceTables, `One of ${sourceTables.join(", ")}`), "sources"),
    }),
    file: ["text/csv"],
    responses: { 200: "CSV, UTF-8; amounts as 35.90" },
    async handle(ctx, { query }) {
      const period = await readPeriod(ctx, query);
      if ("problem" in period) return period;
      await refreshCustomers(ctx);
      if (query.table === "months") {
        const rows = await readCustomerMonths(ctx.db, { timeZone: period.timeZone, months: null });
        return {
          status: 200,
          stream: csvStream(
            ["Month of first order", "Customers", "Orders", "Value", "Value per customer", "Ordered again %"],
            async () => ({ rows, nextCursor: null }),
            ({ month, customers, orders, valueCents, boughtAgain }) => [
              month,
              customers,
              orders,
              money(valueCents),
              money(valueCents / customers),
              repeatPercent(boughtAgain, customers),
            ],
          ),
          headers: csvHeaders(`customers-by-month-${period.today}.csv`),
        };
      }
      const rows = await readGroups(ctx, { ...period, by: query.by });
      return {
        status: 200,
        stream: csvStream(
          [titles[query.by], "Orders", "Sales", "Net", "First orders", "Ordered again %"],
          async () => ({ rows, nextCursor: null }),
          ({ name, orders, salesCents, netCents, firstOrders, boughtAgain }) => [
            name,
            orders,
            money(salesCents),
            money(netCents),
            firstOrders,
            repeatPercent(boughtAgain, firstOrders),
          ],
        ),
        headers: csvHeaders(`${query.by}s-${period.from}-${period.to}.csv`),
      };
    },
  }),
];

const titles: Record<SourceGroup, string> = {
  source: "Source",
  medium: "Medium",
  campaign: "Campaign",
  code: "Discount",
};

/** 3590 -> 35.90 */
function money(cents: number): string {
  return (cents / 100).toFixed(2);
}

function readGroups(
  { db, provider }: ShopContext,
  { by, from, to, timeZone }: { by: SourceGroup; from: string; to: string; timeZone: string },
) {
  const [start, before] = [startOfDay(timeZone, from), startOfDay(timeZone, addDays(to, 1))];
  return readSources(db, { by, from: start, before, mode: provider.mode });
}

function addUp(rows: readonly SourceSums[]): SourceSums {
  const total = { orders: 0, salesCents: 0, netCents: 0, firstOrders: 0, boughtAgain: 0 };
  for (const row of rows) {
    for (const name of Object.keys(total) as (keyof SourceSums)[]) total[name] += row[name];
  }
  return total;
}
