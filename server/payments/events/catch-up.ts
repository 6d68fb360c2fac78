import { inArray, sql } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import { raiseIssue } from "../../issues/issues.ts";
import { issues } from "../../issues/tables.ts";
import {
  type ProviderRefund,
  ProviderRefused,
  ProviderUnavailable,
} from "../../payment-providers/provider.ts";
import { addJobs, jobRequest } from "../../platform/jobs/jobs.ts";
import { ownerTimeZone } from "../../settings/today.ts";
import { closeAllSettledIssues } from "../close-issues.ts";
import { syncRefundsJob } from "../job-kinds.ts";
import { paymentEvents, payments, refunds } from "../tables.ts";
import { handleListedEvents } from "./listed-events.ts";
import { type EventsRead, moveCursor, readCursor, readEvents } from "./read.ts";

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
/** Longest run (ms), so that other jobs of the lane get their turn; the next run continues. */
const runMs = 45_000;
/** Longest part of a run that is spent on reading events (ms); the rest is for handling them. */
const readingMs = 20_000;
/** Period before the last run that is compared again, because a refund may bounce, or a dispute withdraw money, this late. */
const recheckMs = 30 * dayMs;
/** Look-back window of the first run: banks accept disputes for about four months. */
const firstRunMs = 180 * dayMs;
const maxBatchSize = 100;

/**
 * `isListed`: whether the provider listed its events. `differing`: number of payments and disputes that differed from the
 * provider's. `isCutShort`: whether the run reached its limit, so that another must start immediately.
 */
export type CatchUpResult = {
  isListed: boolean;
  added: number;
  handled: number;
  failed: number;
  differing: number;
  isCutShort: boolean;
};

/**
 * Job: handles events that no webhook delivered. Reads the provider's event list from the cursor on and handles new events as if
 * the webhook had delivered them. Once a day (every hour if events cannot be listed), it also compares refunds and disputes, which
 * the provider lists further back. Then it raises an issue if the webhook is silent. `everySeconds` is the interval between runs.
 */
export async function catchUpEvents(
  ctx: ShopContext,
  {
    signal = new AbortController().signal,
    everySeconds = 300,
  }: { signal?: AbortSignal; everySeconds?: number } = {},
): Promise<CatchUpResult> {
  const runTimeout = AbortSignal.timeout(runMs);
  await ctx.provider.loadAccount();
  const events = await readEventsIfPossible(
    ctx,
    AbortSignal.any([signal, AbortSignal.timeout(readingMs)]),
    everySeconds,
  );
  const { handled, failed } = await handleListedEvents(ctx, AbortSignal.any([signal, runTimeout]));
  const { objectsListedAt } = await readCursor(ctx);
  // A time in the future was stored while the shop's clock was ahead, and is ignored.
  const lastAt = objectsListedAt && objectsListedAt <= ctx.now() ? objectsListedAt : null;
  const age = ctx.now().getTime() - (lastAt?.getTime() ?? 0);
  const isDue = age >= (events === null ? hourMs : dayMs);
  const differing = isDue ? await syncListed(ctx, lastAt, signal) : 0;
  if (events?.isWhole) await raiseSilentWebhook(ctx);
  await closeAllSettledIssues(ctx.db, ctx.now());
  const isCutShort = !signal.aborted && (runTimeout.aborted || events?.isWhole === false);
  return { isListed: events !== null, added: events?.added ?? 0, handled, failed, differing, isCutShort };
}

/** Reads and stores new events. Null if the provider is unavailable or the keys are not allowed to list events. */
async function readEventsIfPossible(
  ctx: ShopContext,
  signal: AbortSignal,
  everySeconds: number,
): Promise<EventsRead | null> {
  try {
    return await readEvents(ctx, { signal, everySeconds });
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
    ctx.log.warn({ err: error }, "the provider's events could not be listed; the next run tries again");
    return null;
  }
}

/**
 * Compares the refunds and disputes created at the provider since the last run, and in the month before it, with the stored ones.
 * For each payment whose refunds differ, queues a job that retries until they are synced. Returns the number of payments and
 * disputes that differed. If the provider is unavailable, returns 0, and the next run tries again.
 */
async function syncListed(ctx: ShopContext, lastAt: Date | null, signal: AbortSignal): Promise<number> {
  const now = ctx.now();
  const from = new Date(lastAt === null ? now.getTime() - firstRunMs : lastAt.getTime() - recheckMs);
  try {
    const differing = await syncRefundsSince(ctx, from, signal);
    if (signal.aborted) return differing;
    const changed = await syncDisputesSince(ctx, from);
    await moveCursor(ctx, { objectsListedAt: now });
    return differing + changed;
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    ctx.log.warn({ err: error }, "refunds and disputes could not be listed; the next run tries again");
    return 0;
  }
}

async function syncRefundsSince(ctx: ShopContext, from: Date, signal: AbortSignal): Promise<number> {
  let differing = 0;
  let batch: ProviderRefund[] = [];
  for await (const refund of ctx.provider.listRefundsSince(from)) {
    if (signal.aborted) return differing;
    if (batch.push(refund) < maxBatchSize) continue;
    differing += await enqueueDifferingRefunds(ctx, batch);
    batch = [];
  }
  return differing + (await enqueueDifferingRefunds(ctx, batch));
}

/**
 * A dispute whose comparison fails is compared again in the next run. The run does not fail if the keys are not allowed to list
 * disputes.
 */
async function syncDisputesSince(ctx: ShopContext, from: Date): Promise<number> {
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

async function enqueueDifferingRefunds(
  { db }: ShopContext,
  batch: readonly ProviderRefund[],
): Promise<number> {
  if (batch.length === 0) return 0;
  const ids = batch.map(({ id }) => id);
  const rows = await db
    .select({ id: refunds.providerRefundId, status: refunds.status })
    .from(refunds)
    .where(inArray(refunds.providerRefundId, ids));
  const storedStatus = new Map(rows.map(({ id, status }) => [id, status]));
  const differingIntents = batch
    .filter(({ id, status }) => storedStatus.get(id) !== status)
    .map(({ intentId }) => intentId);
  if (differingIntents.length === 0) return 0;
  const ownPayments = await db
    .select({ intentId: payments.intentId })
    .from(payments)
    .where(inArray(payments.intentId, differingIntents));
  const requests = ownPayments.flatMap(({ intentId }) =>
    intentId === null ? [] : [jobRequest(syncRefundsJob, { intentId }, { key: `sync_refunds:${intentId}` })],
  );
  await addJobs(db, requests);
  return requests.length;
}

/** Time within which the webhook is expected to deliver an event. */
const deliveryMs = 15 * 60 * 1000;

/**
 * Raises an issue when no webhook arrives although the provider's list has events of the shop's orders. Events created
 * while the shop was down do not count: the provider delivers them again later. Each silence raises one issue, because the issue's
 * subject is the last event that the webhook delivered. The next delivered event closes it (close-issues.ts).
 */
async function raiseSilentWebhook(ctx: ShopContext): Promise<void> {
  const { watchedSince } = await readCursor(ctx);
  if (watchedSince === null) return;
  const isLive = ctx.provider.mode === "live";
  const until = new Date(ctx.now().getTime() - deliveryMs);
  const timeZone = await ownerTimeZone(ctx);
  await ctx.db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ missed: number; since: string; last: string | null }>(sql`
      with last as (
        select id, delivered_at from ${paymentEvents} where delivered_at is not null and livemode = ${isLive}
        order by delivered_at desc, id desc limit 1)
      select count(*)::int as missed, min(created_at) as since, (select id from last) as last
      from ${paymentEvents} as event
      where delivered_at is null and livemode = ${isLive} and handled_at is not null
        and outcome not in ('foreign', 'ignored')
        and created_at > greatest(${watchedSince.toISOString()}::timestamptz, (select delivered_at from last))
        and created_at < ${until.toISOString()}::timestamptz
      having count(*) > 0 and not exists (
        select from ${issues} where kind = 'webhook_silent' and resolved_at is null)`);
    const [silence] = rows;
    if (!silence) return;
    const events = silence.missed === 1 ? "an event" : `${silence.missed} events`;
    await raiseIssue(tx, {
      kind: "webhook_silent",
      subject: silence.last ?? "never",
      message: `The payment provider’s webhook is silent: since ${formatTime(silence.since, timeZone)} it has not delivered ${events} of this shop’s orders. The shop read them from the provider’s list, minutes late. See the Go-live check, Webhook`,
    });
  });
}

/** A time in the owner's time zone: "Nov 21, 2026, 10:23 PM" */
function formatTime(at: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short", timeZone });
  return format.format(new Date(at));
}
