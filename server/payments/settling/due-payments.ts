import { and, eq, notInArray, type SQL, sql } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import { orders } from "../../orders/tables.ts";
import { ProviderUnavailable } from "../../payment-providers/provider.ts";
import { forEachConcurrent } from "../../platform/concurrency.ts";
import { payments, refunds } from "../tables.ts";

/** Number of concurrent calls; fewer than the provider allows, because the database must serve shoppers in the meantime. */
const concurrency = 8;
/** Number of rows claimed by one statement; few enough to be processed within the lease even if the provider is slow. */
const maxBatchSize = 5 * concurrency;
/** Time for which a claimed row belongs to its run; after a crash, another run can then claim it. */
const leaseMs = 5 * 60 * 1000;
/** A check scheduled later than this, and after its order's expiry, was scheduled while the clock was ahead. */
const longestPauseMs = 24 * 60 * 60 * 1000;
/** Payments and refunds younger than this are left to the webhook. */
const graceMs = 60 * 1000;
/** Number of consecutive failed calls after which the provider is pinged. */
const maxFailedCalls = 2 * concurrency;

/** `checks`: number of checks since the payment or refund last changed, including this one. */
type DueOrder = { orderId: string; payment: { id: number; checks: number } | null };
type DueRefund = { refundId: string; checks: number };

/** Limits of one run; the next run continues. */
export type RunLimits = {
  /** Ends the run early. */
  signal?: AbortSignal;
  maxItems?: number;
  /** Time after which the run claims no further items. */
  ms?: number;
};

export type Run = {
  checked: number;
  failed: number;
  /** Whether the run reached its limits, so that there may be more to do. */
  isCutShort: boolean;
};

/** Yields due items. `remainingCapacity` returns how many more items the run may claim; at 0 the generator ends. */
type Claim<T> = (ctx: ShopContext, remainingCapacity: () => number) => AsyncGenerator<T>;

/**
 * Expired unpaid orders, oldest first. An order that could not be ended is due again after a pause, so that it does not delay
 * other orders.
 */
export const expiredOrders: Claim<DueOrder> = async function* (ctx, remainingCapacity) {
  const isExpired = sql`o.expires_at < ${ctx.now().toISOString()}`;
  yield* claimOrders(ctx, remainingCapacity, isExpired);
  yield* ordersWithoutPayment(ctx, remainingCapacity, isExpired);
};

/** Pending orders that are older than a minute, so that the webhook had time to arrive. */
export const waitingOrders: Claim<DueOrder> = (ctx, remainingCapacity) => {
  const now = ctx.now();
  const isWaiting = sql`o.expires_at >= ${now.toISOString()} and o.created_at < ${ago(now, graceMs)}`;
  return claimOrders(ctx, remainingCapacity, isWaiting);
};

/** Claims rows by moving the time of their next check, so that other servers and later runs skip them. */
async function* claimOrders(
  ctx: ShopContext,
  remainingCapacity: () => number,
  condition: SQL,
): AsyncGenerator<DueOrder> {
  // A row that this run has checked is not due again in the same run, however short its pause is.
  const startedAt = ctx.now();
  for (let limit = remainingCapacity(); limit > 0; limit = remainingCapacity()) {
    const { rows } = await ctx.db.execute<{ id: string; orderId: string; checks: number }>(sql`
      with due as materialized (
        select p.id from ${orders} as o join ${payments} as p on p.order_id = o.id
        where o.status = 'pending' and p.status not in ('succeeded', 'canceled') and ${condition}
          and (p.next_check_at is null or p.next_check_at < ${startedAt.toISOString()}
            or p.next_check_at > greatest(o.expires_at, ${timeAfter(startedAt, longestPauseMs)}::timestamptz))
        order by coalesce(p.next_check_at, o.expires_at), p.id
        limit ${limit} for update of p skip locked
      )
      update ${payments} as p set checks = checks + 1, next_check_at = ${timeAfter(ctx.now(), leaseMs)}
      from due where p.id = due.id
      returning p.id, p.order_id as "orderId", p.checks`);
    for (const { id, orderId, checks } of rows) yield { orderId, payment: { id: Number(id), checks } };
    if (rows.length < limit) return;
  }
}

/** Orders that a crash has left without a payment. They need no call to the provider, so they are retried without pauses. */
async function* ordersWithoutPayment(
  { db }: ShopContext,
  remainingCapacity: () => number,
  condition: SQL,
): AsyncGenerator<DueOrder> {
  let isAfterLast: SQL = sql`true`;
  for (let limit = remainingCapacity(); limit > 0; limit = remainingCapacity()) {
    const { rows } = await db.execute<{ orderId: string }>(sql`
      select id as "orderId" from ${orders} as o
      where status = 'pending' and ${condition} and ${isAfterLast} and not exists (
        select from ${payments} as p where p.order_id = o.id and p.status not in ('succeeded', 'canceled'))
      order by expires_at, id limit ${limit}`);
    for (const { orderId } of rows) yield { orderId, payment: null };
    const last = rows.at(-1);
    if (rows.length < limit || !last) return;
    isAfterLast = sql`(o.expires_at, o.id) > (select expires_at, id from ${orders} where id = ${last.orderId})`;
  }
}

/** Refunds that the provider has not confirmed, oldest first. */
export const pendingRefunds: Claim<DueRefund> = async function* (ctx, remainingCapacity) {
  const startedAt = ctx.now();
  for (let limit = remainingCapacity(); limit > 0; limit = remainingCapacity()) {
    const { rows } = await ctx.db.execute<DueRefund>(sql`
      with due as materialized (
        select r.id from ${refunds} as r join ${payments} as p on p.intent_id = r.intent_id
        where r.status = 'pending' and r.created_at < ${ago(startedAt, graceMs)}
          and (r.next_check_at is null or r.next_check_at < ${startedAt.toISOString()}
            or r.next_check_at > ${timeAfter(startedAt, longestPauseMs)})
        order by coalesce(r.next_check_at, r.created_at), r.id
        limit ${limit} for update of r skip locked
      )
      update ${refunds} as r set checks = checks + 1, next_check_at = ${timeAfter(ctx.now(), leaseMs)}
      from due where r.id = due.id
      returning r.id as "refundId", r.checks`);
    yield* rows;
    if (rows.length < limit) return;
  }
};

/** Processes due items, a few at a time. A failed item is logged and skipped; an unavailable provider ends the run. */
export async function processDue<T extends object>(
  ctx: ShopContext,
  claim: Claim<T>,
  { signal, maxItems = Number.POSITIVE_INFINITY, ms = Number.POSITIVE_INFINITY }: RunLimits,
  work: (item: T) => Promise<unknown>,
): Promise<Run> {
  const until = performance.now() + ms;
  const run: Run = { checked: 0, failed: 0, isCutShort: false };
  let claimed = 0;
  let failedCalls = 0;
  let isProviderDown = false;

  function remainingCapacity(): number {
    const remaining = signal?.aborted || performance.now() > until ? 0 : maxItems - claimed;
    const capacity = isProviderDown ? 0 : Math.min(maxBatchSize, remaining);
    run.isCutShort = capacity === 0 && !isProviderDown;
    claimed += capacity;
    return capacity;
  }

  await forEachConcurrent(claim(ctx, remainingCapacity), concurrency, async (item) => {
    // Items already claimed become due again when their lease ends.
    if (isProviderDown) return;
    run.checked += 1;
    try {
      await work(item);
      failedCalls = 0;
    } catch (error) {
      run.failed += 1;
      const details: object = { err: error, ...item };
      ctx.log.warn(details, "a payment could not be checked; it is retried after a pause");
      if (!(error instanceof ProviderUnavailable)) return;
      failedCalls += 1;
      if (failedCalls % maxFailedCalls === 0) isProviderDown ||= !(await ctx.provider.ping());
    }
  });
  return run;
}

/** Longest pause after checks that changed nothing. A check may fail because of a short outage; processing may take a bank days. */
const maxPauseMs = { failed: 60 * 60 * 1000, processing: 12 * 60 * 60 * 1000 };

/** Pause after `checks` checks that changed nothing: the interval between two runs, doubled with each check. */
export function pauseMs(
  { config }: ShopContext,
  { checks, cause }: { checks: number; cause: keyof typeof maxPauseMs },
): number {
  const betweenRunsMs = config.reconcileEverySeconds * 1_000;
  return Math.min(maxPauseMs[cause], betweenRunsMs * 2 ** Math.min(checks - 1, 30));
}

const isOpen = notInArray(payments.status, ["succeeded", "canceled"]);

/** Schedules the next check of a payment that is still open. */
export async function scheduleNextPaymentCheck({ db }: ShopContext, id: number, at: Date): Promise<void> {
  await db
    .update(payments)
    .set({ nextCheckAt: at })
    .where(and(eq(payments.id, id), isOpen));
}

export async function scheduleNextRefundCheck({ db }: ShopContext, id: string, at: Date): Promise<void> {
  await db.update(refunds).set({ nextCheckAt: at }).where(eq(refunds.id, id));
}

function ago(now: Date, ms: number): string {
  return timeAfter(now, -ms);
}

function timeAfter(now: Date, ms: number): string {
  return new Date(now.getTime() + ms).toISOString();
}
