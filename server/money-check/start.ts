import { and, eq, gte, lt, ne, sql } from "drizzle-orm";
import * as v from "valibot";
import { addDays, dateIn, startOfDay } from "../../domain/shared/zoned-days.ts";
import type { ShopContext } from "../context.ts";
import { isCountedIn } from "../orders/mode.ts";
import { orders } from "../orders/tables.ts";
import { findIntent } from "../payment-providers/find-intent.ts";
import { type Intent, type Period, ProviderUnavailable } from "../payment-providers/provider.ts";
import { isThisAccount } from "../payments/other-account.ts";
import { payments } from "../payments/tables.ts";
import { addJob, defineJob, type JobContext } from "../platform/jobs/jobs.ts";
import { ownerTimeZone } from "../settings/today.ts";
import { type Comparison, compareIntents, compareMissing, type Difference, noDisputes } from "./compare.ts";
import { type CheckRow, finishRun, recordProgress, restartRun } from "./run.ts";
import { moneyChecks } from "./tables.ts";

type NewCheck = { from: Date; to: Date; requestedBy: "night" | "owner" };

const maxBatchSize = 100;

/** Stores and queues a check, and returns its id. If a check of the same period is running, returns its id. */
export async function startMoneyCheck(
  ctx: ShopContext,
  { from, to, requestedBy }: NewCheck,
): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    // The second of two concurrent calls waits here, then finds the first call's check.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('money_checks'))`);
    const [running] = await tx
      .select({ id: moneyChecks.id })
      .from(moneyChecks)
      .where(
        and(
          eq(moneyChecks.status, "running"),
          eq(moneyChecks.periodFrom, from),
          eq(moneyChecks.periodTo, to),
        ),
      );
    if (running) return running.id;
    const [check] = await tx
      .insert(moneyChecks)
      .values({ periodFrom: from, periodTo: to, requestedBy, status: "running", startedAt: ctx.now() })
      .returning({ id: moneyChecks.id });
    if (!check) throw new Error("the insert returned no money check");
    await addJob(tx, runMoneyCheckJob, { checkId: check.id });
    return check.id;
  });
}

/**
 * Job: compares every payment of the period at the provider with the orders, and every booked payment with the provider. An
 * interrupted run starts again, with the same result. The only orders it changes are those whose payments it books because their
 * events may not have arrived yet.
 */
export async function runMoneyCheck(
  ctx: ShopContext,
  checkId: number,
  { signal, isLastAttempt }: Pick<JobContext, "signal" | "isLastAttempt">,
): Promise<void> {
  const [check] = await ctx.db.select().from(moneyChecks).where(eq(moneyChecks.id, checkId));
  if (check?.status !== "running") return;
  try {
    await restartRun(ctx.db, checkId);
    await comparePeriod(ctx, check, signal);
    await finishRun(ctx, check);
  } catch (error) {
    const isProviderDown = error instanceof ProviderUnavailable;
    if (isProviderDown || isLastAttempt) {
      const problem = isProviderDown
        ? "The payment provider could not be reached. Nothing was changed; run the check again later."
        : "The check stopped because of an error in the shop, which is in the log. Run the check again.";
      await ctx.db
        .update(moneyChecks)
        .set({ status: "failed", problem, finishedAt: ctx.now() })
        .where(eq(moneyChecks.id, checkId));
    }
    if (!isProviderDown) throw error;
    ctx.log.warn({ err: error, checkId }, "a money check could not be run");
  }
}

async function comparePeriod(ctx: ShopContext, check: CheckRow, signal: AbortSignal): Promise<void> {
  const period = { from: check.periodFrom, to: check.periodTo };
  const comparedIds = new Set<string>();
  let batch: Intent[] = [];
  const compareBatch = async () => {
    signal.throwIfAborted();
    await recordProgress(ctx, check.id, await compareIntents(ctx, batch));
    batch = [];
  };
  for await (const intent of ctx.provider.listSucceededIntents(period)) {
    comparedIds.add(intent.intentId);
    if (batch.push(intent) === maxBatchSize) await compareBatch();
  }
  await compareBatch();
  for (const intentId of await listBookedIntents(ctx, period)) {
    if (comparedIds.has(intentId)) continue;
    signal.throwIfAborted();
    const intent = await findIntent(ctx, intentId);
    const isPaidAtProvider = intent?.status === "succeeded";
    // The provider's date decides the period: a hosted page opened before midnight may be paid after it.
    if (isPaidAtProvider && (intent.createdAt < period.from || intent.createdAt >= period.to)) continue;
    const comparisons = isPaidAtProvider
      ? await compareIntents(ctx, [intent])
      : [await compareMissing(ctx.db, intentId)];
    await recordProgress(
      ctx,
      check.id,
      comparisons.filter((comparison) => comparison !== null),
    );
  }
  await recordProgress(ctx, check.id, await paidWithoutPayment(ctx, period));
}

/** Ids of payments booked as succeeded that the current keys can read. */
async function listBookedIntents(
  { db, provider }: ShopContext,
  { from, to }: Required<Period>,
): Promise<string[]> {
  const rows = await db
    .select({ intentId: payments.intentId })
    .from(payments)
    .where(
      and(
        eq(payments.status, "succeeded"),
        isThisAccount(provider),
        gte(payments.createdAt, from),
        lt(payments.createdAt, to),
      ),
    );
  return rows.flatMap(({ intentId }) => intentId ?? []);
}

/** Orders marked as paid without a successful payment, which only a manual edit of the database can cause. */
async function paidWithoutPayment(
  { db, provider }: ShopContext,
  { from, to }: Required<Period>,
): Promise<Comparison[]> {
  const rows = await db
    .select({
      orderId: orders.id,
      number: orders.number,
      bookedIn: orders.payableCents,
      bookedRefunded: orders.refundedCents,
    })
    .from(orders)
    .where(
      and(
        gte(orders.paidAt, from),
        lt(orders.paidAt, to),
        isCountedIn(provider.mode),
        sql`${orders.payableCents} > 0 and not exists (select from ${payments}
          where payments.order_id = orders.id and payments.status = 'succeeded')`,
      ),
    );
  return rows.map(({ orderId, number, bookedIn, bookedRefunded }) => {
    const key = { intentId: `#${number}`, orderId };
    const differences: Difference[] = [
      { ...key, kind: "missing_payment", providerCents: 0, bookedCents: bookedIn },
    ];
    if (bookedRefunded > 0) {
      differences.push({ ...key, kind: "refund_differs", providerCents: 0, bookedCents: bookedRefunded });
    }
    const provider = { providerIn: 0, providerRefunded: 0, ...noDisputes };
    return {
      intentId: key.intentId,
      isIgnored: false,
      ...provider,
      bookedIn,
      bookedRefunded,
      differences,
    };
  });
}

/** Number of days compared each night: yesterday and the three days before it, to cover failed nights and slow banks. */
const nightlyDays = 4;
/** The hour from which the nightly check may run: the day is over in the shop's other time zones, and few people buy. */
const nightlyFromHour = 3;

/**
 * Job: checks the last days once a night, in the owner's time zone; a failed check is retried after an hour. Returns the id of the
 * started check, or null if none is due.
 */
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

/** Low priority, because a run may take minutes. */
export const runMoneyCheckJob = defineJob({
  name: "run_money_check",
  payload: v.object({ checkId: v.number() }),
  lane: "upkeep",
  priority: 5,
  maxAttempts: 10,
});
