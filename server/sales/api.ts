import * as v from "valibot";
import {
  type Grain,
  grainOf,
  grains,
  namedPeriod,
  overviewSchema,
  type Period,
  type PeriodName,
  periodNames,
  periodProblem,
} from "../../domain/sales/overview.ts";
import { dateIn, isDate } from "../../domain/shared/zoned-days.ts";
import { dataOf, ok, route } from "../api-row.ts";
import { type Problem, problem } from "../platform/http/problem.ts";
import { donationsApi } from "./donations-api.ts";
import { readOverview } from "./overview.ts";

const isoTimestamp = v.pipe(v.string(), v.isoTimestamp());
/** A moment stands for the day that it is in the shop's time zone. */
const date = v.pipe(
  v.string(),
  v.check((text) => isDate(text) || v.is(isoTimestamp, text), "Must be a date, like 2026-11-20"),
);

/** The panel's first page, and the donations it tells of. */
export const salesApi = [
  route("GET /api/admin/overview", {
    tag: "Admin",
    summary:
      "Sales of a period against the one before, and what waits for the owner; dates in the shop's time zone, `to` included, by default the last 30 days",
    access: "admin",
    roles: ["staff", "accountant"],
    limit: "none",
    query: v.object({
      from: v.optional(date),
      to: v.optional(date),
      /** Instead of dates. */
      period: v.optional(v.picklist(periodNames, "One of 7d, 30d, 12m")),
      by: v.optional(v.picklist(grains, "One of day, week, month")),
    }),
    response: dataOf(overviewSchema),
    answers: { 200: "The overview; amounts in cents" },
    async handle(ctx, { query, viewer }) {
      const { timeZone } = await ctx.ownerSettings();
      const dateOf = (text: string | undefined) =>
        text === undefined || isDate(text) ? text : dateIn(timeZone, new Date(text));
      const asked = { ...query, from: dateOf(query.from), to: dateOf(query.to) };
      const period = periodOf(asked, dateIn(timeZone, ctx.now()));
      if ("problem" in period) return period;
      const by: Grain = query.by ?? grainOf(period);
      const overview = await readOverview(ctx, period, by);
      // Messages are not the accountant's.
      return ok(viewer.admin?.role === "accountant" ? { ...overview, latestMessage: null } : overview);
    },
  }),
  ...donationsApi,
];

type Asked = { from?: string | undefined; to?: string | undefined; period?: PeriodName | undefined };

function periodOf(asked: Asked, today: string): Period | Problem {
  const named = namedPeriod(asked.period ?? "30d", today);
  if (asked.from === undefined && asked.to === undefined) return named;
  const to = asked.to ?? today;
  const from = asked.from ?? namedPeriod("30d", to).from;
  const wrong = periodProblem({ from, to });
  if (wrong === null) return { from, to };
  return problem("validation_failed", "Please check the period.", { fields: { from: wrong } });
}
