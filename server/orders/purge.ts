import { sql } from "drizzle-orm";
import { visitorCookieDays } from "../../domain/privacy/retention.ts";
import type { ShopContext } from "../context.ts";
import { batchRows, inBatches } from "../platform/database/in-batches.ts";
import { ensureErasedVisitor } from "../visitors/personal-data.ts";
import { visitors } from "../visitors/tables.ts";
import { orders } from "./tables.ts";

/** Detaches orders from visitors whose cookie has expired in every browser; "Find my order" still finds them by address. */
export async function detachExpiredVisitors({ db, now }: ShopContext): Promise<void> {
  const expiredBefore = new Date(now().getTime() - visitorCookieDays * 24 * 60 * 60 * 1000).toISOString();
  const erasedVisitorId = await ensureErasedVisitor(db);
  let after = { at: "-infinity", id: erasedVisitorId };
  await inBatches(async () => {
    const { rows } = await db.execute<{ id: string; at: string }>(sql`
      select id, seen_at::text as at from ${visitors}
      where seen_at < ${expiredBefore} and (seen_at, id) > (${after.at}::timestamptz, ${after.id}::uuid) and id <> ${erasedVisitorId}
      order by seen_at, id limit ${batchRows}`);
    after = rows.at(-1) ?? after;
    const ids = sql.param(rows.map(({ id }) => id));
    await db.execute(sql`
      update ${orders} set visitor_id = ${erasedVisitorId} where id = any(array(
        select id from ${orders} where visitor_id = any(${ids}::uuid[]) and status <> 'pending'
        for update skip locked))`);
    return rows.length;
  });
}
