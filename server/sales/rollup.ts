import { min, type SQL, sql } from "drizzle-orm";
import { addDays, dateIn } from "../../domain/shared/zoned-days.ts";
import { disputes } from "../disputes/tables.ts";
import { orderEdits } from "../order-desk/tables.ts";
import { orders } from "../orders/tables.ts";
import { refunds } from "../payments/tables.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { dayStarts, replaceSums } from "./kept-sums.ts";
import { counted, salesEvents, salesVersion, sums } from "./sales-events.ts";
import { salesBuckets, salesDays, salesRollup } from "./tables.ts";

const bucketMs = 15 * 60 * 1000;
/** Rows newer than this may still be missing, because of open transactions or slow clocks of other servers. */
const lateWriteMs = 10 * 60 * 1000;
/**
 * Period recomputed by each run, because refunds change the amount that an order's bucket sets aside, and refunds may fail later.
 */
const lookBackMs = 48 * 60 * 60 * 1000;
/** Everything is recomputed once a day. */
const fullRebuildMs = 24 * 60 * 60 * 1000;

/**
 * Recomputes the sums of 15-minute buckets from the orders: all buckets at first and once a day, otherwise the buckets of the last
 * two days and of older orders with refunds or disputes since. Then recomputes the days of `timeZone` from the buckets. Readers see
 * the previous state until it commits. Safe to run concurrently.
 */
export async function refreshSales(
  db: Database,
  { now, timeZone, whole = false }: { now: Date; timeZone: string; whole?: boolean },
): Promise<void> {
  const through = new Date(Math.floor((now.getTime() - lateWriteMs) / bucketMs) * bucketMs);
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${salesRollup} in share row exclusive mode`);
    const [last] = await tx.select().from(salesRollup);
    const isFullRebuild =
      whole ||
      last?.version !== salesVersion ||
      // Also if the last rebuild is dated in the future, because the clock was ahead.
      Math.abs(now.getTime() - last.rebuiltAt.getTime()) >= fullRebuildMs;
    const recomputeFrom = floorToBucket(
      new Date(Math.min(last?.through.getTime() ?? 0, through.getTime() - lookBackMs)),
    );
    const changedBuckets = isFullRebuild ? [] : await bucketsChangedSince(tx, recomputeFrom);
    for (const bucket of changedBuckets) await rebuildBuckets(tx, bucket, nextBucket(bucket));
    await rebuildBuckets(tx, isFullRebuild ? null : recomputeFrom, through);
    if (isFullRebuild || last.timeZone !== timeZone) {
      await tx.delete(salesDays);
      const first = await firstBucket(tx);
      if (first) await rebuildDays(tx, { timeZone, first, last: through, through });
    } else {
      for (const bucket of changedBuckets) {
        await rebuildDays(tx, { timeZone, first: bucket, last: bucket, through });
      }
      await rebuildDays(tx, { timeZone, first: recomputeFrom, last: through, through });
    }
    const rebuiltAt = isFullRebuild ? now : last.rebuiltAt;
    await tx
      .insert(salesRollup)
      .values({ through, rebuiltAt, timeZone, version: salesVersion })
      .onConflictDoUpdate({
        target: salesRollup.one,
        set: { through, rebuiltAt, timeZone, version: salesVersion },
      });
  });
}

/** Recomputes the buckets from `from`, or from the first one if it is null, to `to`. */
async function rebuildBuckets(tx: Db, from: Date | null, to: Date): Promise<void> {
  const startInstant = from === null ? sql`'-infinity'::timestamptz` : instant(from);
  await replaceSums(tx, salesBuckets, {
    ...rollupColumns,
    within: sql`starts_at >= ${startInstant} and starts_at < ${instant(to)}`,
    fresh: sql`select date_bin('15 minutes', at, 'epoch'::timestamptz) as starts_at, provider, ${sums}
      from (${salesEvents(startInstant, instant(to))}) as h group by 1, 2`,
  });
}
/** Recomputes all days that the period touches, from the buckets before `through`. */
async function rebuildDays(
  tx: Db,
  { timeZone, first, last, through }: { timeZone: string; first: Date; last: Date; through: Date },
): Promise<void> {
  const { starts, count } = dayStarts(timeZone, dateIn(timeZone, first), addDays(dateIn(timeZone, last), 1));
  const within = sql`starts_at >= (${starts})[1] and starts_at < (${starts})[${count}::int]`;
  await replaceSums(tx, salesDays, {
    ...rollupColumns,
    within,
    fresh: sql`select (${starts})[width_bucket(starts_at, ${starts})] as starts_at, provider, ${sums}
      from ${salesBuckets} where ${within} and starts_at < ${instant(through)} group by 1, 2`,
  });
}

const rollupColumns = { key: ["starts_at", "provider"], sums: counted };

/** Buckets before `at` whose orders or disputes have changed since; the run would otherwise not recompute them. */
async function bucketsChangedSince(tx: Db, at: Date): Promise<Date[]> {
  const since = instant(at);
  const { rows } = await tx.execute<{ starts_at: string }>(sql`
    select distinct to_json(date_bin('15 minutes', at, 'epoch'::timestamptz)) #>> '{}' as starts_at from (
      select o.paid_at as at from ${refunds} r join ${orders} o on o.id = r.order_id where r.settled_at >= ${since}
      union all
      select o.paid_at from ${orderEdits} e join ${orders} o on o.id = e.order_id
      where e.ended_at >= ${since} and e.status = 'applied'
      union all
      select unnest(array[o.paid_at, d.closed_at, coalesce(d.withdrawn_at, d.created_at)])
      from ${disputes} d join ${orders} o on o.id = d.order_id where d.changed_at >= ${since}
    ) as touched where at < ${since}`);
  return rows.map((row) => new Date(row.starts_at));
}

async function firstBucket(tx: Db): Promise<Date | null> {
  const [row] = await tx.select({ at: min(salesBuckets.startsAt) }).from(salesBuckets);
  return row?.at ?? null;
}

function floorToBucket(at: Date): Date {
  return new Date(Math.floor(at.getTime() / bucketMs) * bucketMs);
}

function nextBucket(at: Date): Date {
  return new Date(at.getTime() + bucketMs);
}

function instant(at: Date): SQL {
  return sql`${at.toISOString()}::timestamptz`;
}
