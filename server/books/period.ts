import * as v from "valibot";
import { addDays, dateIn, isDate, startOfDay } from "../../domain/shared/zoned-days.ts";
import type { ShopContext } from "../context.ts";
import { type Problem, problem } from "../platform/http/problem.ts";
import { ownerTimeZone } from "../settings/today.ts";

const day = v.pipe(v.string("Must be a day"), v.check(isDate, "Must be a day, as 2026-11-20"));
const maxDays = 10 * 366;

/** First and last day in the shop's time zone. */
export const periodDays = { from: day, to: day };

export type TimeRange = { from: Date; before: Date; timeZone: string; dates: { from: string; to: string } };

/** The times at which the period begins and ends in the shop's time zone, the end no later than now; or why the days are invalid. */
export async function resolveTimeRange(
  ctx: ShopContext,
  { from, to }: { from: string; to: string },
): Promise<TimeRange | Problem> {
  const problemText =
    from > to
      ? "Must not be before the first day"
      : addDays(from, maxDays) < to
        ? "At most ten years at once"
        : null;
  if (problemText !== null)
    return problem("validation_failed", "Please check the period.", { fields: { to: problemText } });
  const timeZone = await ownerTimeZone(ctx);
  const end = startOfDay(timeZone, addDays(to, 1));
  const now = ctx.now();
  const today = dateIn(timeZone, now);
  return {
    from: startOfDay(timeZone, from),
    before: new Date(Math.min(end.getTime(), now.getTime())),
    timeZone,
    dates: { from, to: to < today ? to : today },
  };
}
