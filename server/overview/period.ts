import * as v from "valibot";
import {
  namedPeriod,
  type Period,
  type PeriodName,
  periodNames,
  periodProblem,
} from "../../domain/overview/overview.ts";
import { dateIn, isDate } from "../../domain/shared/zoned-days.ts";
import type { ShopContext } from "../context.ts";
import { type Problem, problem } from "../platform/http/problem.ts";

const isoTimestamp = v.pipe(v.string(), v.isoTimestamp());
/** A timestamp stands for its date in the shop's time zone. */
const date = v.pipe(
  v.string(),
  v.check((text) => isDate(text) || v.is(isoTimestamp, text), "Must be a date, like 2026-11-20"),
);

/** Fields of a query that choose a period. */
export const periodQuery = {
  from: v.optional(date),
  to: v.optional(date),
  /** A named period instead of dates. */
  period: v.optional(v.picklist(periodNames, "One of 7d, 30d, 12m")),
};

type PeriodQuery = { from?: string | undefined; to?: string | undefined; period?: PeriodName | undefined };

/** The chosen period, by default the last 30 days, with today's date in the shop's time zone. */
export async function readPeriod(
  ctx: ShopContext,
  query: PeriodQuery,
): Promise<(Period & { today: string; timeZone: string }) | Problem> {
  const { timeZone } = await ctx.ownerSettings();
  const today = dateIn(timeZone, ctx.now());
  const parseDate = (text: string | undefined) =>
    text === undefined || isDate(text) ? text : dateIn(timeZone, new Date(text));
  const scope = { today, timeZone };
  if (query.from === undefined && query.to === undefined) {
    return { ...namedPeriod(query.period ?? "30d", today), ...scope };
  }
  const to = parseDate(query.to) ?? today;
  const from = parseDate(query.from) ?? namedPeriod("30d", to).from;
  const periodError = periodProblem({ from, to });
  if (periodError === null) return { from, to, ...scope };
  return problem("validation_failed", "Please check the period.", { fields: { from: periodError } });
}
