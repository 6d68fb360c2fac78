import { type SQL, sql } from "drizzle-orm";
import { orders } from "../orders/tables.ts";
import { refunds } from "../payments/tables.ts";
import type { Database, Db } from "../platform/database.ts";
import { columns, counted, happenings, sums } from "./happenings.ts";
import { salesQuarters, salesRollup } from "./tables.ts";

const quarterMs = 15 * 60 * 1000;
/** What is younger may still be written by a transaction, or by a server whose clock is behind. */
const settlingMs = 10 * 60 * 1000;
/** How far back each run looks again: a refund changes what an order's quarter gives away, and may bounce. */
const againMs = 48 * 60 * 60 * 1000;
/** All of it is made anew once a day, whatever has happened meanwhile. */
const wholeMs = 24 * 60 * 60 * 1000;
const ever = sql`'-infinity'::timestamptz`;

/**
 * Brings the quarters up to what the orders say, all of them at first and once a day, else those of the last two days
 * and those whose orders have had refunds since. Who reads meanwhile sees the state before. Safe to run twice at once.
 */
export async function refreshSales(db: Database, now: Date, { whole = false } = {}): Promise<void> {
  const through = new Date(Math.floor((now.getTime() - settlingMs) / quarterMs) * quarterMs);
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${salesRollup} in share row exclusive mode`);
    const [last] = await tx.select().from(salesRollup);
    const isWhole = whole || !last || now.getTime() - last.wholeAt.getTime() >= wholeMs;
    const again = new Date(Math.min(last?.through.getTime() ?? 0, through.getTime() - againMs));
    const from = isWhole ? ever : instant(floorToQuarter(again));
    if (!isWhole) {
      for (const quarter of await quartersRefundedSince(tx, from)) {
        await remake(tx, instant(quarter), instant(new Date(quarter.getTime() + quarterMs)));
      }
    }
    await remake(tx, from, instant(through));
    const wholeAt = isWhole ? now : last.wholeAt;
    await tx
      .insert(salesRollup)
      .values({ through, wholeAt })
      .onConflictDoUpdate({ target: salesRollup.one, set: { through, wholeAt } });
  });
}

/** Writes the quarters from `from` to `to` anew; only what differs is touched. */
async function remake(tx: Db, from: SQL, to: SQL): Promise<void> {
  const assignments = sql.raw(counted.map((column) => `${column} = excluded.${column}`).join(", "));
  await tx.execute(sql`
    with fresh as materialized (
      select date_bin('15 minutes', at, 'epoch'::timestamptz) as starts_at, provider, ${sums}
      from (${happenings(from, to)}) as h group by 1, 2),
    gone as (
      delete from ${salesQuarters} as q where q.starts_at >= ${from} and q.starts_at < ${to}
        and not exists (select 1 from fresh f where f.starts_at = q.starts_at and f.provider = q.provider))
    insert into ${salesQuarters} as q (starts_at, provider, ${columns})
    select starts_at, provider, ${columns} from fresh
    on conflict (starts_at, provider) do update set ${assignments}
      where (${prefixed("q")}) is distinct from (${prefixed("excluded")})`);
}

/** Of orders that were paid before: their quarters are not made anew otherwise. */
async function quartersRefundedSince(tx: Db, since: SQL): Promise<Date[]> {
  const { rows } = await tx.execute<{ starts_at: string }>(sql`
    select distinct to_json(date_bin('15 minutes', o.paid_at, 'epoch'::timestamptz)) #>> '{}' as starts_at
    from ${refunds} r join ${orders} o on o.id = r.order_id
    where r.settled_at >= ${since} and o.paid_at < ${since}`);
  return rows.map((row) => new Date(row.starts_at));
}

function prefixed(table: string): SQL {
  return sql.raw(counted.map((column) => `${table}.${column}`).join(", "));
}

function floorToQuarter(at: Date): Date {
  return new Date(Math.floor(at.getTime() / quarterMs) * quarterMs);
}

function instant(at: Date): SQL {
  return sql`${at.toISOString()}::timestamptz`;
}
