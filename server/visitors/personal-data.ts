import { inArray, sql } from "drizzle-orm";
import type { PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { visitors } from "./tables.ts";

export const erasedVisitorId = "00000000-0000-0000-0000-000000000000";

/** Inserts the visitor that owns erased orders. No browser can be this visitor, since no token has an empty hash. */
export async function ensureErasedVisitor(tx: Db): Promise<string> {
  await tx
    .insert(visitors)
    .values({ id: erasedVisitorId, tokenHash: Buffer.alloc(0) })
    .onConflictDoNothing();
  return erasedVisitorId;
}

/** Deletes the visitors among these without references. */
export async function deleteUnreferencedVisitors(tx: Db, { visitorIds }: PersonToErase): Promise<void> {
  await tx.delete(visitors).where(sql`${inArray(visitors.id, visitorIds)} and ${isUnreferenced}`);
}

/**
 * The visitor has no references. `offset 0` makes PostgreSQL use an index per visitor; the planner would otherwise read all
 * orders for a thousand visitors.
 */
export const isUnreferenced = sql`${visitors.id} <> ${erasedVisitorId}
      and not exists (select from orders where visitor_id = ${visitors.id} offset 0)
      and not exists (select from order_visitors where visitor_id = ${visitors.id} offset 0)
      and not exists (select from cart_items where visitor_id = ${visitors.id} offset 0)
      and not exists (select from cart_reminders where visitor_id = ${visitors.id} offset 0)
      and not exists (select from reviews where visitor_id = ${visitors.id} offset 0)
      and not exists (select from review_photos where visitor_id = ${visitors.id} offset 0)
      and not exists (select from questions where visitor_id = ${visitors.id} offset 0)
      and not exists (select from review_votes where visitor_id = ${visitors.id} offset 0)`;
