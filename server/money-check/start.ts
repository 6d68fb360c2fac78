import { and, eq, sql } from "drizzle-orm";
import type { ShopContext } from "../context.ts";
import { findIntent } from "../payment-providers/find-intent.ts";
import { type Intent, ProviderUnavailable } from "../payment-providers/provider.ts";
import { addJob, type JobContext } from "../platform/jobs/jobs.ts";
import { bookedIn, paidWithoutPayment } from "./booked.ts";
import { compareIntents, compareMissing } from "./compare.ts";
import { runMoneyCheckJob } from "./jobs.ts";
import { type CheckRow, finishRun, recordProgress, restartRun } from "./run.ts";
import { moneyChecks } from "./tables.ts";

type NewCheck = { from: Date; to: Date; requestedBy: "night" | "owner" };

const batchMax = 100;

/** Stores and queues a check; returns a running check of the same period instead. */
export async function startMoneyCheck(
  ctx: ShopContext,
  { from, to, requestedBy }: NewCheck,
): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    // Of two simultaneous clicks, the second waits for the first.
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
    if (!check) throw new Error("a money check was not written");
    await addJob(tx, runMoneyCheckJob, { checkId: check.id });
    return check.id;
  });
}

/**
 * Job: compares every payment of the period at the provider with the orders, and every booked payment with the provider. An
 * interrupted run starts again, with the same result. Changes no order, except that it books a payment of the last minutes
 * whose event is still on the way.
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
    await lookAt(ctx, check, signal);
    await finishRun(ctx, check);
  } catch (error) {
    const isAway = error instanceof ProviderUnavailable;
    if (isAway || isLastAttempt) {
      const problem = isAway
        ? "The payment provider could not be reached. Nothing was changed; run the check again later."
        : "The check broke off because of a fault in the shop. The log says more; run the check again.";
      await ctx.db
        .update(moneyChecks)
        .set({ status: "failed", problem, finishedAt: ctx.now() })
        .where(eq(moneyChecks.id, checkId));
    }
    if (!isAway) throw error;
    ctx.log.warn({ err: error, checkId }, "a money check could not be run");
  }
}

async function lookAt(ctx: ShopContext, check: CheckRow, signal: AbortSignal): Promise<void> {
  const period = { from: check.periodFrom, to: check.periodTo };
  const comparedIds = new Set<string>();
  let batch: Intent[] = [];
  const hold = async () => {
    signal.throwIfAborted();
    await recordProgress(ctx, check.id, await compareIntents(ctx, batch));
    batch = [];
  };
  for await (const intent of ctx.provider.listSucceededIntents(period)) {
    comparedIds.add(intent.intentId);
    if (batch.push(intent) === batchMax) await hold();
  }
  await hold();
  for (const intentId of await bookedIn(ctx, period)) {
    if (comparedIds.has(intentId)) continue;
    signal.throwIfAborted();
    const intent = await findIntent(ctx, intentId);
    const isThere = intent?.status === "succeeded";
    // For example paid on a hosted page after midnight: it belongs to the period of the provider's date.
    if (isThere && (intent.createdAt < period.from || intent.createdAt >= period.to)) continue;
    const comparison = isThere
      ? await compareIntents(ctx, [intent])
      : [await compareMissing(ctx.db, intentId)];
    await recordProgress(
      ctx,
      check.id,
      comparison.filter((one) => one !== null),
    );
  }
  await recordProgress(ctx, check.id, await paidWithoutPayment(ctx, period));
}
