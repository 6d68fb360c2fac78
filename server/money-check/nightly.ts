import { and, eq, ne } from "drizzle-orm";
import { addDays, dateIn, startOfDay } from "../../domain/shared/zoned-days.ts";
import type { ShopContext } from "../context.ts";
import { payments } from "../payments/tables.ts";
import { ownerTimeZone } from "../settings/today.ts";
import { startMoneyCheck } from "./start.ts";
import { moneyChecks } from "./tables.ts";

/** Yesterday and the three days before, which covers failed nights and slow banks. */
const nightlyDays = 4;
/** The hour at which the previous day is over in every time zone that the shop uses, and few people buy. */
const nightlyFromHour = 3;

/** Job: checks the last days once a night, in the owner's time zone. A failed night is tried again after an hour. */
export async function checkNightly(ctx: ShopContext): Promise<number | null> {
  const timeZone = await ownerTimeZone(ctx);
  const now = ctx.now();
  const today = dateIn(timeZone, now);
  const to = startOfDay(timeZone, today);
  if (now.getTime() - to.getTime() < nightlyFromHour * 60 * 60 * 1000) return null;
  const isTonight = and(
    eq(moneyChecks.requestedBy, "night"),
    eq(moneyChecks.periodTo, to),
    ne(moneyChecks.status, "failed"),
  );
  const [done] = await ctx.db.select({ id: moneyChecks.id }).from(moneyChecks).where(isTonight).limit(1);
  if (done) return null;
  // Without any payment there is nothing to compare.
  const [payment] = await ctx.db.select({ id: payments.id }).from(payments).limit(1);
  if (!payment) return null;
  const from = startOfDay(timeZone, addDays(today, -nightlyDays));
  return startMoneyCheck(ctx, { from, to, requestedBy: "night" });
}
