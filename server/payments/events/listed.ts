import { and, inArray, isNull, sql } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import { type ProviderEvent, ProviderUnavailable } from "../../payment-providers/provider.ts";
import { eventTypes } from "../../payment-providers/providers.ts";
import { forEachConcurrent } from "../../platform/concurrency.ts";
import { queueJobsOfRows } from "../../platform/jobs/jobs.ts";
import { workPaymentEvent } from "../job-kinds.ts";
import { paymentEvents } from "../tables.ts";
import { countDeclines, handleEvent } from "./handle.ts";

/** Payments worked at once: the backlog of weeks is not to keep the provider, or the database, from shoppers. */
const atOnce = 3;
const groupsMax = 500;
/** So many calls in a row without an answer mean that the provider is away: the rest is left to the next run. */
const unansweredMax = 5;

/**
 * Writes down what the provider's list has and the webhook has not brought. Answers how many were new. They are worked
 * by `handleListed`, not by a job each: tens of thousands at once would hold up the news of this minute.
 */
export async function recordListed(ctx: ShopContext, events: readonly ProviderEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  const { rowCount } = await ctx.db
    .insert(paymentEvents)
    .values(events.map((event) => ({ ...event, receivedAt: ctx.now(), deliveredAt: null })))
    .onConflictDoNothing();
  return rowCount ?? 0;
}

/**
 * Works on what the list alone has brought, newest first, a payment at a time: of all its events the provider is asked
 * once. What fails gets a job of its own, which tries again with growing pauses, and holds up nothing else. A run that is
 * cut short is taken up by the next.
 */
export async function handleListed(
  ctx: ShopContext,
  signal: AbortSignal,
): Promise<{ worked: number; failed: number }> {
  const result = { worked: 0, failed: 0 };
  let unanswered = 0;
  const isOver = () => signal.aborted || unanswered >= unansweredMax;

  async function work([newest, ...older]: string[]): Promise<void> {
    if (newest === undefined) return;
    try {
      await countDeclines(ctx, older);
      // The list has nothing of the last minute, and an order is written before its payment: what is not there is lost.
      await handleEvent(ctx, newest, true);
      await closeOlder(ctx, newest, older);
      unanswered = 0;
      result.worked += 1 + older.length;
    } catch (error) {
      unanswered = error instanceof ProviderUnavailable ? unanswered + 1 : 0;
      result.failed += 1;
      ctx.log.warn({ err: error, event: newest }, "a listed event could not be handled; its job retries it");
      await giveJobs(ctx, [newest, ...older]);
    }
  }

  while (!isOver()) {
    const groups = await unhandledGroups(ctx);
    if (groups.length === 0) break;
    await forEachConcurrent(groups, atOnce, async (group) => {
      if (!isOver()) await work(group);
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
 * Ids of the events that wait, newest first, those of one payment together: its own and those of its refunds apart, for
 * they are asked for apart. Everything else stands alone.
 */
async function unhandledGroups({ db }: ShopContext): Promise<string[][]> {
  const { rows } = await db.execute<{ ids: string[] }>(sql`
    select array_agg(id order by created_at desc, id) as ids from ${paymentEvents}
    where handled_at is null and delivered_at is null and outcome is null
    group by intent_id, case when intent_id is null then id
      when ${inArray(paymentEvents.type, paymentTypes)} then 'payment'
      when ${inArray(paymentEvents.type, eventTypes("refund_changed"))} then 'refunds'
      else id end
    order by max(created_at) desc limit ${groupsMax}`);
  return rows.map(({ ids }) => ids);
}

/** The provider was asked after they happened: what came of the newest came of them. */
async function closeOlder({ db, now }: ShopContext, newest: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const outcome = sql`(select outcome from ${paymentEvents} as newest where newest.id = ${newest})`;
  await db
    .update(paymentEvents)
    .set({ handledAt: now(), outcome })
    .where(and(inArray(paymentEvents.id, ids), isNull(paymentEvents.handledAt)));
}

async function giveJobs({ db }: ShopContext, ids: string[]): Promise<void> {
  const update = db
    .update(paymentEvents)
    .set({ outcome: "queued" })
    .where(
      and(inArray(paymentEvents.id, ids), isNull(paymentEvents.handledAt), isNull(paymentEvents.outcome)),
    )
    .returning({ id: paymentEvents.id });
  const work = sql`select json_build_object('eventId', id) from queued`;
  await queueJobsOfRows(
    db,
    workPaymentEvent,
    work,
    (jobs) => sql`with queued as ${update} select from ${jobs}`,
  );
}
