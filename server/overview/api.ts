import * as v from "valibot";
import { adminCountsSchema, adminNewsSchema } from "../../domain/admin/admin.ts";
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
} from "../../domain/overview/overview.ts";
import { toDoSchema } from "../../domain/overview/to-do.ts";
import { helperRoles } from "../../domain/people/roles.ts";
import { dateIn, isDate } from "../../domain/shared/zoned-days.ts";
import { dataOf, ok, route } from "../api-row.ts";
import { type Problem, problem } from "../platform/http/problem.ts";
import { findApi } from "./find-api.ts";
import { issuesApi } from "./issues-api.ts";
import { jobsApi } from "./jobs-api.ts";
import { readAdminCounts, readNews, readOverview } from "./overview.ts";
import { readToDo } from "./to-do.ts";

const shared = { tag: "Admin", access: "admin", limit: "none" } as const;

const isoTimestamp = v.pipe(v.string(), v.isoTimestamp());
/** A moment stands for the day that it is in the shop's time zone. */
const date = v.pipe(
  v.string(),
  v.check((text) => isDate(text) || v.is(isoTimestamp, text), "Must be a date, like 2026-11-20"),
);

/** The panel's first page, what waits behind its tabs, and its search. */
export const overviewApi = [
  route("GET /api/admin/overview", {
    ...shared,
    summary:
      "Sales of a period against the one before, and what waits for the owner; dates in the shop's time zone, `to` included, by default the last 30 days",
    roles: ["staff", "accountant"],
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
      const dates = { ...query, from: dateOf(query.from), to: dateOf(query.to) };
      const period = periodOf(dates, dateIn(timeZone, ctx.now()));
      if ("problem" in period) return period;
      const by: Grain = query.by ?? grainOf(period);
      const overview = await readOverview(ctx, period, by);
      // Messages are not the accountant's.
      return ok(viewer.admin?.role === "accountant" ? { ...overview, latestMessage: null } : overview);
    },
  }),
  route("GET /api/admin/counts", {
    ...shared,
    summary: "What waits behind the panel's tabs",
    roles: helperRoles,
    response: dataOf(adminCountsSchema),
    answers: {
      200: "`{ordersToShip, unreadMessages, heldReviews, heldPhotos, openQuestions, attention, failedJobs}`, each counted up to 100, and `mailIsSet`",
    },
    handle: async (ctx) => ok(await readAdminCounts(ctx)),
  }),
  route("GET /api/admin/news", {
    ...shared,
    summary: "What waits, and the orders that were paid last",
    roles: helperRoles,
    response: dataOf(adminNewsSchema),
    answers: { 200: "The counts, and `paid` `[{orderId, number}]`, newest first, 20 at most" },
    handle: async (ctx) => ok(await readNews(ctx)),
  }),
  route("GET /api/admin/to-do", {
    ...shared,
    summary: "What waits for the people who run the shop, and since when",
    roles: helperRoles,
    response: dataOf(toDoSchema),
    answers: {
      200: "`{ship, returns, messages, issues, reviews, photos, questions, failedJobs}`, each `{count, oldestAt}` and counted up to 100, `ship` with `overdue`; `lowStock` `[{productId, name, free}]`",
    },
    handle: async (ctx) => ok(await readToDo(ctx)),
  }),
  ...issuesApi,
  ...jobsApi,
  ...findApi,
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
