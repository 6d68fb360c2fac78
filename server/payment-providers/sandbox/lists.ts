import { and, desc, eq, gte, inArray, lt, sql } from "drizzle-orm";
import type { Db } from "../../platform/database/database.ts";
import {
  type BalanceEntry,
  type EventPage,
  type EventPageQuery,
  type ProviderRefund,
  ProviderRefused,
} from "../provider.ts";
import { neededEventTypes, toEvent } from "../stripe/event.ts";
import { sandboxEvents, sandboxIntents, sandboxRefunds } from "../tables.ts";
import { toRefund } from "./answers.ts";
import { eventJson } from "./delivery.ts";

const pageMax = 100;

/** A page of the events that the webhook has not accepted yet; the sandbox stores no others. */
export async function sandboxEventPage(db: Db, { from, to, after }: EventPageQuery): Promise<EventPage> {
  const position = sql`(${sandboxEvents.createdAt}, ${sandboxEvents.id})`;
  if (after !== null && (await db.$count(sandboxEvents, eq(sandboxEvents.id, after))) === 0) {
    throw new ProviderRefused("resource_missing", `No such event: '${after}'`);
  }
  const rows = await db
    .select()
    .from(sandboxEvents)
    .where(
      and(
        gte(sandboxEvents.createdAt, from),
        lt(sandboxEvents.createdAt, to),
        inArray(sandboxEvents.type, neededEventTypes),
        after === null
          ? undefined
          : sql`${position} < (select created_at, id from ${sandboxEvents} where id = ${after})`,
      ),
    )
    .orderBy(desc(sandboxEvents.createdAt), desc(sandboxEvents.id))
    .limit(pageMax);
  return {
    events: rows.flatMap((row) => toEvent(eventJson(row), null) ?? []),
    next: rows.length < pageMax ? null : (rows.at(-1)?.id ?? null),
  };
}

export async function* sandboxRefundsSince(db: Db, from: Date): AsyncIterable<ProviderRefund> {
  const rows = await db.select().from(sandboxRefunds).where(gte(sandboxRefunds.createdAt, from));
  yield* rows.map(toRefund);
}

/** Card fee, as Stripe charges in the US. */
const fee = sql`round(i.amount_received * 0.029)::int + 30`;

type Row = {
  id: string;
  intent: string;
  kind: "charge" | "refund";
  amount: number;
  fee: number;
  currency: string;
  at: string;
};

/**
 * Balance movements of the simulated payments: charges with a fee, refunds without, and at the end of each day (UTC)
 * a payout of the day's balance.
 */
export async function* sandboxBalance(
  db: Db,
  { from, to }: { from: Date; to: Date },
): AsyncIterable<BalanceEntry> {
  const day = 24 * 60 * 60 * 1000;
  // A payout covers the previous day, so that whole day is read.
  const startsAt = new Date(Math.floor(from.getTime() / day) * day - day);
  const { rows } = await db.execute<Row>(sql`
    select 'txn_' || i.id as id, i.id as intent, 'charge' as kind, i.amount_received as amount, ${fee} as fee,
      upper(i.currency) as currency, to_json(i.created_at) #>> '{}' as at
    from ${sandboxIntents} i
    where i.status = 'succeeded' and i.created_at >= ${startsAt.toISOString()}::timestamptz and i.created_at < ${to.toISOString()}::timestamptz
    union all
    select 'txn_' || r.id, r.intent_id, 'refund', -r.amount, 0, upper(i.currency), to_json(r.created_at) #>> '{}'
    from ${sandboxRefunds} r join ${sandboxIntents} i on i.id = r.intent_id
    where r.created_at >= ${startsAt.toISOString()}::timestamptz and r.created_at < ${to.toISOString()}::timestamptz
    order by at desc, id desc`);
  const byDay = new Map<number, { cents: number; currency: string }>();
  for (const row of rows) {
    const at = Math.floor(Date.parse(row.at) / day);
    const { cents = 0 } = byDay.get(at) ?? {};
    byDay.set(at, { cents: cents + row.amount - row.fee, currency: row.currency });
  }
  for (const [at, { cents, currency }] of byDay) {
    const createdAt = new Date((at + 1) * day);
    if (cents <= 0 || createdAt < from || createdAt >= to) continue;
    const arrivesOn = new Date((at + 3) * day).toISOString().slice(0, 10);
    const id = `po_sandbox_${createdAt.toISOString().slice(0, 10)}`;
    const payout = { kind: "payout" as const, amount: -cents, fee: 0, currency, description: "Payout" };
    yield { ...payout, id: `txn_${id}`, intentId: null, sourceId: id, createdAt, arrivesOn };
  }
  for (const { id, intent, at, ...row } of rows) {
    const createdAt = new Date(at);
    if (createdAt < from) continue;
    yield { ...row, id, intentId: intent, sourceId: intent, description: null, createdAt, arrivesOn: null };
  }
}
