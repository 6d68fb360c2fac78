import { sql } from "drizzle-orm";
import { visitorCookieDays } from "../../domain/retention.ts";
import type { Db } from "../platform/database.ts";
import { batchRows, inBatches } from "../platform/in-batches.ts";
import { nobody } from "../visitors/personal-data.ts";
import { visitors } from "../visitors/tables.ts";
import { orders } from "./tables.ts";

/** Takes orders from visitors whose cookie no browser has any more; "Find my order" still finds them by their address. */
export async function forgetOldBrowsers(db: Db, now: Date): Promise<void> {
  const goneSince = new Date(now.getTime() - visitorCookieDays * 24 * 60 * 60 * 1000).toISOString();
  const nobodyId = await nobody(db);
  await inBatches(async () => {
    const { rowCount } = await db.execute(sql`
      update ${orders} set visitor_id = ${nobodyId} where id = any(array(
        select o.id from ${visitors} as v join ${orders} as o on o.visitor_id = v.id
        where v.seen_at < ${goneSince} and v.id <> ${nobodyId} and o.status <> 'pending'
        limit ${batchRows} for update of o skip locked))`);
    return rowCount ?? 0;
  });
}
