import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { orderTagsMax } from "../../../domain/orders/order-tags.ts";
import type { ShopContext } from "../../context.ts";
import { lockOrder } from "../../orders/lifecycle.ts";
import type { Db } from "../../platform/database/database.ts";
import { type ActionResult, refused } from "../actions.ts";
import { orderTags } from "../tables.ts";

/** Adds tags to an order and takes others off, so that two people who tag it at once both do. Null: there is no such order. */
export async function changeTags(
  { db }: ShopContext,
  { orderId, add, remove }: { orderId: string; add: string[]; remove: string[] },
): Promise<ActionResult | null> {
  return db.transaction(async (tx) => {
    if (!(await lockOrder(tx, orderId))) return null;
    const kept = new Set((await tagsOf(tx, orderId)).filter((tag) => !remove.includes(tag)));
    for (const tag of add) kept.add(tag);
    if (kept.size > orderTagsMax) return refused(`An order has at most ${orderTagsMax} tags.`);
    if (remove.length > 0) {
      await tx.delete(orderTags).where(and(eq(orderTags.orderId, orderId), inArray(orderTags.tag, remove)));
    }
    const rows = add.map((tag) => ({ orderId, tag }));
    if (rows.length > 0) await tx.insert(orderTags).values(rows).onConflictDoNothing();
    return { ok: true };
  });
}

/** In the order of the alphabet. */
export async function tagsOf(db: Db, orderId: string): Promise<string[]> {
  const rows = await db
    .select({ tag: orderTags.tag })
    .from(orderTags)
    .where(eq(orderTags.orderId, orderId))
    .orderBy(asc(orderTags.tag));
  return rows.map(({ tag }) => tag);
}

/** The tags in use, up to 100; each is found by one step through their index, however many orders have it. */
export async function usedTags(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ tag: string }>(sql`
    with recursive used as (
      (select tag from ${orderTags} order by tag limit 1)
      union all
      select (select next.tag from ${orderTags} as next where next.tag > used.tag order by next.tag limit 1)
      from used where used.tag is not null
    )
    select tag from used where tag is not null limit 100`);
  return rows.map(({ tag }) => tag);
}
