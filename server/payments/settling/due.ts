import { and, eq, notInArray, type SQL, sql } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import { orders } from "../../orders/tables.ts";
import { ProviderUnavailable } from "../../payment-providers/provider.ts";
import { forEachConcurrent } from "../../platform/concurrency.ts";
import { payments, refunds } from "../tables.ts";

/** Calls to the provider at a time: it allows many more, and the database has to serve shoppers meanwhile. */
const atATime = 8;
/** Claimed in one statement: few enough that all of them are worked on within the lease, however slow the provider is. */
const batchMax = 5 * atATime;
/** Nobody else takes up what was claimed for so long; after a crash it is taken up again then. */
const leaseMs = 5 * 60 * 1000;
/** Something this young is still under way; its webhook is given the time to come. */
const graceMs = 60 * 1000;
/** Calls in a row that got no answer, after which the provider is asked whether it is there at all. */
const unansweredMax = 2 * atATime;

/** What it is time to look at. `checks` counts the looks since something changed, this one included. */
export type DueOrder = { orderId: string; payment: { id: number; checks: number } | null };
export type DueRefund = { refundId: string; checks: number };

/** How far one run goes; what is left is for the next one. */
export type RunLimits = {
  /** Ends the run early. */
  signal?: AbortSignal;
  /** No more than so many. */
  most?: number;
  /** Nothing is claimed after so long. */
  ms?: number;
};

export type Run = {
  looked: number;
  failed: number;
  /** Whether it ended by its limits: there may be more to do. */
  isCutShort: boolean;
};

/** Claims what is due, as long as `room` answers how many more this run may take. */
export type Claim<T> = (ctx: ShopContext, room: () => number) => AsyncGenerator<T>;

/**
 * Unpaid orders whose time is over, oldest first. One that could not be ended comes again after its pause, so that those
 * behind it have their turn.
 */
export const expiredOrders: Claim<DueOrder> = async function* (ctx, room) {
  const isExpired = sql`o.expires_at < ${ctx.now().toISOString()}`;
  yield* claimOrders(ctx, room, isExpired);
  yield* ordersWithoutPayment(ctx, room, isExpired);
};

/** Orders that wait to be paid, and of whose payment nothing was heard for a minute: its news is given time to come. */
export const waitingOrders: Claim<DueOrder> = (ctx, room) => {
  const now = ctx.now();
  const isWaiting = sql`o.expires_at >= ${now.toISOString()} and o.created_at < ${ago(now, graceMs)}`;
  return claimOrders(ctx, room, isWaiting);
};

/** Claims by moving the time of the next look: another server, or the next run, leaves them alone meanwhile. */
async function* claimOrders(ctx: ShopContext, room: () => number, which: SQL): AsyncGenerator<DueOrder> {
  // What this run has looked at is not due again in it, whatever pause it got.
  const begunAt = ctx.now();
  for (let most = room(); most > 0; most = room()) {
    const { rows } = await ctx.db.execute<{ id: string; orderId: string; checks: number }>(sql`
      with due as materialized (
        select p.id from ${orders} as o join ${payments} as p on p.order_id = o.id
        where o.status = 'pending' and p.status not in ('succeeded', 'canceled') and ${which}
          and (p.next_check_at is null or p.next_check_at < ${begunAt.toISOString()})
        order by coalesce(p.next_check_at, o.expires_at), p.id
        limit ${most} for update of p skip locked
      )
      update ${payments} as p set checks = checks + 1, next_check_at = ${later(ctx.now(), leaseMs)}
      from due where p.id = due.id
      returning p.id, p.order_id as "orderId", p.checks`);
    for (const { id, orderId, checks } of rows) yield { orderId, payment: { id: Number(id), checks } };
    if (rows.length < most) return;
  }
}

/** What a crash left before any payment. Nobody has to be asked, so they have no pauses, but each has its turn. */
async function* ordersWithoutPayment(
  { db }: ShopContext,
  room: () => number,
  which: SQL,
): AsyncGenerator<DueOrder> {
  let isNext: SQL = sql`true`;
  for (let most = room(); most > 0; most = room()) {
    const { rows } = await db.execute<{ orderId: string }>(sql`
      select id as "orderId" from ${orders} as o
      where status = 'pending' and ${which} and ${isNext} and not exists (
        select from ${payments} as p where p.order_id = o.id and p.status not in ('succeeded', 'canceled'))
      order by expires_at, id limit ${most}`);
    for (const { orderId } of rows) yield { orderId, payment: null };
    const last = rows.at(-1);
    if (rows.length < most || !last) return;
    isNext = sql`(o.expires_at, o.id) > (select expires_at, id from ${orders} where id = ${last.orderId})`;
  }
}

/** Refunds that the provider has not confirmed, oldest first. */
export const pendingRefunds: Claim<DueRefund> = async function* (ctx, room) {
  const begunAt = ctx.now();
  for (let most = room(); most > 0; most = room()) {
    const { rows } = await ctx.db.execute<DueRefund>(sql`
      with due as materialized (
        select r.id from ${refunds} as r join ${payments} as p on p.intent_id = r.intent_id
        where r.status = 'pending' and r.created_at < ${ago(begunAt, graceMs)}
          and (r.next_check_at is null or r.next_check_at < ${begunAt.toISOString()})
        order by coalesce(r.next_check_at, r.created_at), r.id
        limit ${most} for update of r skip locked
      )
      update ${refunds} as r set checks = checks + 1, next_check_at = ${later(ctx.now(), leaseMs)}
      from due where r.id = due.id
      returning r.id as "refundId", r.checks`);
    yield* rows;
    if (rows.length < most) return;
  }
};

/** Works on what is due, a few at a time. One that fails is logged and left; a provider that is away ends the run. */
export async function processDue<T extends object>(
  ctx: ShopContext,
  claim: Claim<T>,
  { signal, most = Number.POSITIVE_INFINITY, ms = Number.POSITIVE_INFINITY }: RunLimits,
  work: (item: T) => Promise<unknown>,
): Promise<Run> {
  const until = performance.now() + ms;
  const run: Run = { looked: 0, failed: 0, isCutShort: false };
  let claimed = 0;
  let unanswered = 0;
  let isAway = false;

  function room(): number {
    const left = signal?.aborted || performance.now() > until ? 0 : most - claimed;
    const next = isAway ? 0 : Math.min(batchMax, left);
    run.isCutShort = next === 0 && !isAway;
    claimed += next;
    return next;
  }

  await forEachConcurrent(claim(ctx, room), atATime, async (item) => {
    // What is claimed then comes again after its lease.
    if (isAway) return;
    run.looked += 1;
    try {
      await work(item);
      unanswered = 0;
    } catch (error) {
      run.failed += 1;
      const what: object = { err: error, ...item };
      ctx.log.warn(what, "a payment could not be checked; it is retried after a pause");
      if (!(error instanceof ProviderUnavailable)) return;
      unanswered += 1;
      if (unanswered % unansweredMax === 0) isAway ||= !(await ctx.provider.ping());
    }
  });
  return run;
}

/** The longest pause after looks that changed nothing: what failed may have met an outage, a bank needs days. */
const pauseMaxMs = { failed: 60 * 60 * 1000, processing: 12 * 60 * 60 * 1000 };

/** After so many looks that changed nothing: at first the time between two runs, then twice as long each time. */
export function pauseMs(
  { config }: ShopContext,
  { checks, why }: { checks: number; why: keyof typeof pauseMaxMs },
): number {
  const betweenRunsMs = config.reconcileEverySeconds * 1_000;
  return Math.min(pauseMaxMs[why], betweenRunsMs * 2 ** Math.min(checks - 1, 30));
}

const isOpen = notInArray(payments.status, ["succeeded", "canceled"]);

/** When the payment is looked at next, if it is still open. */
export async function nextPaymentCheck({ db }: ShopContext, id: number, at: Date): Promise<void> {
  await db
    .update(payments)
    .set({ nextCheckAt: at })
    .where(and(eq(payments.id, id), isOpen));
}

/** When the refund is looked at next. */
export async function nextRefundCheck({ db }: ShopContext, id: string, at: Date): Promise<void> {
  await db.update(refunds).set({ nextCheckAt: at }).where(eq(refunds.id, id));
}

function ago(now: Date, ms: number): string {
  return later(now, -ms);
}

function later(now: Date, ms: number): string {
  return new Date(now.getTime() + ms).toISOString();
}
