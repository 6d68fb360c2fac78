import { inArray, sql } from "drizzle-orm";
import type { Db } from "../platform/database.ts";
import { visitors } from "./tables.ts";

export const nobodyId = "00000000-0000-0000-0000-000000000000";

/** A visitor that no browser is: no token has an empty hash. Orders without a buyer's data belong to it. */
export async function nobody(tx: Db): Promise<string> {
  await tx
    .insert(visitors)
    .values({ id: nobodyId, tokenHash: Buffer.alloc(0) })
    .onConflictDoNothing();
  return nobodyId;
}

/** Deletes those of these visitors that nothing of the shop knows any more. */
export async function forgetVisitors(tx: Db, visitorIds: string[]): Promise<void> {
  await tx.delete(visitors).where(sql`${inArray(visitors.id, visitorIds)} and ${isForgettable}`);
}

/**
 * Nothing of the shop knows the visitor any more. `offset 0` has each looked up by its index: the planner would else read all
 * orders for a thousand visitors.
 */
export const isForgettable = sql`${visitors.id} <> ${nobodyId}
      and not exists (select from orders where visitor_id = ${visitors.id} offset 0)
      and not exists (select from order_visitors where visitor_id = ${visitors.id} offset 0)
      and not exists (select from cart_items where visitor_id = ${visitors.id} offset 0)
      and not exists (select from cart_reminders where visitor_id = ${visitors.id} offset 0)
      and not exists (select from reviews where visitor_id = ${visitors.id} offset 0)`;
