import { inArray, sql } from "drizzle-orm";
import { emptyVisitorHours, visitorCookieDays } from "../../domain/privacy/retention.ts";
import type { ShopContext } from "../context.ts";
import type { PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { batchRows, deleteInBatches, inBatches } from "../platform/database/in-batches.ts";
import { visitors } from "./tables.ts";

const erasedVisitorId = "00000000-0000-0000-0000-000000000000";

/** Inserts the visitor that owns erased orders. No browser can be this visitor, since no token has an empty hash. */
export async function ensureErasedVisitor(tx: Db): Promise<string> {
  await tx
    .insert(visitors)
    .values({ id: erasedVisitorId, tokenHash: Buffer.alloc(0) })
    .onConflictDoNothing();
  return erasedVisitorId;
}

/** Deletes the person's visitors to which no other row refers. */
export async function deleteUnreferencedVisitors(tx: Db, { visitorIds }: PersonToErase): Promise<void> {
  await tx.delete(visitors).where(sql`${inArray(visitors.id, visitorIds)} and ${isUnreferenced}`);
}

/**
 * Condition: no other row refers to the visitor. `offset 0` makes PostgreSQL look up each visitor in the indexes; otherwise the
 * planner would read all orders for a thousand visitors.
 */
const isUnreferenced = sql`${visitors.id} <> ${erasedVisitorId}
      and not exists (select from orders where visitor_id = ${visitors.id} offset 0)
      and not exists (select from order_visitors where visitor_id = ${visitors.id} offset 0)
      and not exists (select from cart_items where visitor_id = ${visitors.id} offset 0)
      and not exists (select from cart_reminders where visitor_id = ${visitors.id} offset 0)
      and not exists (select from reviews where visitor_id = ${visitors.id} offset 0)
      and not exists (select from review_photos where visitor_id = ${visitors.id} offset 0)
      and not exists (select from questions where visitor_id = ${visitors.id} offset 0)
      and not exists (select from review_votes where visitor_id = ${visitors.id} offset 0)`;

const hourMs = 60 * 60 * 1000;

/**
 * Deletes visitors without references, and visitors without orders whose cookie has expired; texts that these have written are
 * kept without a visitor.
 */
export async function purgeVisitors({ db, now: clock }: ShopContext): Promise<void> {
  const now = clock();
  const expiredBefore = new Date(now.getTime() - visitorCookieDays * 24 * hourMs).toISOString();
  await deleteInBatches(
    db,
    visitors,
    sql`seen_at < ${expiredBefore} and ${visitors.id} <> ${erasedVisitorId}
      and not exists (select from orders where visitor_id = ${visitors.id} offset 0)`,
  );
  // Scans from the newest visitors, where most without references are, and visits each one once.
  let cursor = {
    at: new Date(now.getTime() - emptyVisitorHours * hourMs).toISOString(),
    id: erasedVisitorId,
  };
  await inBatches(async () => {
    const { rows } = await db.execute<{ id: string; at: string }>(sql`
      select id, seen_at::text as at from ${visitors}
      where (seen_at, id) < (${cursor.at}::timestamptz, ${cursor.id}::uuid) order by seen_at desc, id desc limit ${batchRows}`);
    const last = rows.at(-1);
    if (last === undefined) return 0;
    cursor = last;
    // Visitors active since the scan have a newer `seenAt` and are kept.
    const ids = sql.param(rows.map(({ id }) => id));
    await db.execute(sql`
      delete from ${visitors} where id = any(${ids}::uuid[]) and seen_at <= ${rows[0]?.at}::timestamptz and ${isUnreferenced}`);
    return rows.length;
  });
}
