import { and, inArray, isNull, sql } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import { type ProviderEvent, ProviderUnavailable } from "../../payment-providers/provider.ts";
import { eventTypes } from "../../payment-providers/providers.ts";
import { forEachConcurrent } from "../../platform/concurrency.ts";
import { paymentEvents } from "../tables.ts";
import { countDeclines, enqueueEvents, handleEvent } from "./handle.ts";

/** Number of payments handled concurrently; low, so that a backlog of weeks does not slow down shoppers' requests. */
const concurrency = 3;
const maxGroups = 500;
/** Number of consecutive failed calls after which the provider is considered unavailable; the next run handles the rest. */
const maxFailedCalls = 5;

/**
 * Stores listed events that no webhook delivered, and returns how many were new. They get no jobs, because tens of thousands of
 * jobs could delay current events; `handleListedEvents` handles them.
 */
export async function storeListedEvents(ctx: ShopContext, events: readonly ProviderEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  const { rowCount } = await ctx.db
    .insert(paymentEvents)
    .values(events.map((event) => ({ ...event, receivedAt: ctx.now(), deliveredAt: null })))
    .onConflictDoNothing();
  return rowCount ?? 0;
}

/**
 * Handles events known only from the provider's list, newest first, grouped by payment: one request to the provider covers all
 * events of a payment. The events of a group that fails get jobs, which retry with growing pauses, so that it does not delay other
 * groups. If a run is cut short, the next one continues.
 */
export async function handleListedEvents(
  ctx: ShopContext,
  signal: AbortSignal,
): Promise<{ handled: number; failed: number }> {
  const result = { handled: 0, failed: 0 };
  let failedCalls = 0;
  const shouldStop = () => signal.aborted || failedCalls >= maxFailedCalls;

  async function handleGroup([newest, ...older]: string[]): Promise<void> {
    if (newest === undefined) return;
    try {
      await countDeclines(ctx, older);
      // Listed events are at least a minute old, and orders are written before their payments: a missing order will not appear.
      await handleEvent(ctx, newest, true);
      await closeOlder(ctx, newest, older);
      failedCalls = 0;
      result.handled += 1 + older.length;
    } catch (error) {
      failedCalls = error instanceof ProviderUnavailable ? failedCalls + 1 : 0;
      result.failed += 1;
      ctx.log.warn({ err: error, event: newest }, "a listed event could not be handled; its job retries it");
      await enqueueEvents(ctx, [newest, ...older]);
    }
  }

  while (!shouldStop()) {
    const groups = await unhandledGroups(ctx);
    if (groups.length === 0) break;
    await forEachConcurrent(groups, concurrency, async (group) => {
      if (!shouldStop()) await handleGroup(group);
    });
  }
  return result;
}

const paymentTypes = eventTypes(
  "payment_succeeded",
  "payment_processing",
  "payment_cancelled",
  "payment_declined",
);

/**
 * Groups of ids of unhandled events, newest first. A payment's own events form one group and the events of its refunds another,
 * because they need different requests. Every other event is a group of its own.
 */
async function unhandledGroups({ db }: ShopContext): Promise<string[][]> {
  const { rows } = await db.execute<{ ids: string[] }>(sql`
    select array_agg(id order by created_at desc, id) as ids from ${paymentEvents}
    where handled_at is null and delivered_at is null and outcome is null
    group by intent_id, case when intent_id is null then id
      when ${inArray(paymentEvents.type, paymentTypes)} then 'payment'
      when ${inArray(paymentEvents.type, eventTypes("refund_changed"))} then 'refunds'
      else id end
    order by max(created_at) desc limit ${maxGroups}`);
  return rows.map(({ ids }) => ids);
}

/** Gives older events the outcome of the newest one, because the payment was read from the provider after all of them. */
async function closeOlder({ db, now }: ShopContext, newest: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const outcome = sql`(select outcome from ${paymentEvents} as newest where newest.id = ${newest})`;
  await db
    .update(paymentEvents)
    .set({ handledAt: now(), outcome })
    .where(and(inArray(paymentEvents.id, ids), isNull(paymentEvents.handledAt)));
}
