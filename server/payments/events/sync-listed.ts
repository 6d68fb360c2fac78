import { inArray } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import {
  type ProviderRefund,
  ProviderRefused,
  ProviderUnavailable,
} from "../../payment-providers/provider.ts";
import { addJobs, jobRequest } from "../../platform/jobs/jobs.ts";
import { syncRefundsJob } from "../job-kinds.ts";
import { payments, refunds } from "../tables.ts";
import { moveCursor } from "./read.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** A refund may bounce, and a dispute begin to cost money, so long after it was made. */
const againMs = 30 * dayMs;
/** As far as this is looked back the first time: banks take disputes for about four months. */
const firstMs = 180 * dayMs;
const batchMax = 100;

/**
 * Holds every refund and dispute that the provider has made since the last look, and in the month before it, against what
 * is booked. Where refunds differ, those of the payment are asked for by a job, which tries until it is done. Answers how
 * many payments and disputes differed. A provider that is away leaves it to the next run.
 */
export async function syncListed(
  ctx: ShopContext,
  lastAt: Date | null,
  signal: AbortSignal,
): Promise<number> {
  const now = ctx.now();
  const from = new Date(lastAt === null ? now.getTime() - firstMs : lastAt.getTime() - againMs);
  try {
    const differing = await refundsSince(ctx, from, signal);
    if (signal.aborted) return differing;
    const changed = await disputesSince(ctx, from);
    await moveCursor(ctx, { objectsListedAt: now });
    return differing + changed;
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    ctx.log.warn({ err: error }, "refunds and disputes could not be listed; the next run tries again");
    return 0;
  }
}

async function refundsSince(ctx: ShopContext, from: Date, signal: AbortSignal): Promise<number> {
  let differing = 0;
  let batch: ProviderRefund[] = [];
  for await (const refund of ctx.provider.listRefundsMade(from)) {
    if (signal.aborted) return differing;
    if (batch.push(refund) < batchMax) continue;
    differing += await askAboutDiffering(ctx, batch);
    batch = [];
  }
  return differing + (await askAboutDiffering(ctx, batch));
}

/** One that fails comes again with the next look; keys that may not read any do not keep this one from ending. */
async function disputesSince(ctx: ShopContext, from: Date): Promise<number> {
  try {
    let differing = 0;
    for (const { syncMadeSince } of ctx.paymentHooks)
      differing += (await syncMadeSince?.(ctx, from))?.changed ?? 0;
    return differing;
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    ctx.log.warn({ err: error }, "disputes could not be listed");
    return 0;
  }
}

async function askAboutDiffering({ db }: ShopContext, batch: readonly ProviderRefund[]): Promise<number> {
  if (batch.length === 0) return 0;
  const known = await db
    .select({ id: refunds.providerRefundId, status: refunds.status })
    .from(refunds)
    .where(
      inArray(
        refunds.providerRefundId,
        batch.map(({ id }) => id),
      ),
    );
  const booked = new Map(known.map(({ id, status }) => [id, status]));
  const differing = batch
    .filter(({ id, status }) => booked.get(id) !== status)
    .map(({ intentId }) => intentId);
  if (differing.length === 0) return 0;
  const own = await db
    .select({ intentId: payments.intentId })
    .from(payments)
    .where(inArray(payments.intentId, differing));
  const requests = own.flatMap(({ intentId }) =>
    intentId === null ? [] : [jobRequest(syncRefundsJob, { intentId }, { key: `sync_refunds:${intentId}` })],
  );
  await addJobs(db, requests);
  return requests.length;
}
