import { and, eq, ne } from "drizzle-orm";
import { addDays, dateIn, startOfDay } from "../../domain/shared/zoned-days.ts";
import type { ShopContext } from "../context.ts";
import { payments } from "../payments/tables.ts";
import { ownerTimeZone } from "../settings/today.ts";
import { startMoneyCheck } from "./start.ts";
import { moneyChecks } from "./tables.ts";

/** Yesterday and the three days before: what a failed night or a slow bank left is looked at again. */
const nightlyDays = 4;
/** By then the day before is over everywhere the shop writes of it, and few people buy. */
const nightlyFromHour = 3;

/** Job: once a night, in the owner's time zone, checks the last days. A night that failed is tried again in an hour. */
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
  // A shop that never asked for a payment has nothing to compare.
  const [payment] = await ctx.db.select({ id: payments.id }).from(payments).limit(1);
  if (!payment) return null;
  const from = startOfDay(timeZone, addDays(today, -nightlyDays));
  return startMoneyCheck(ctx, { from, to, requestedBy: "night" });
}
