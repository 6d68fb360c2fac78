import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { maxOrderTags } from "../../../domain/orders/order-limits.ts";
import type { ShopContext } from "../../context.ts";
import { lockOrder } from "../../orders/lifecycle.ts";
import type { Db } from "../../platform/database/database.ts";
import { type ActionResult, refuse } from "../actions.ts";
import { orderTags } from "../tables.ts";

/**
 * Adds and removes tags of an order instead of replacing them all, so that concurrent edits by two people both apply. Null if
 * there is no such order.
 */
export async function changeTags(
  { db }: ShopContext,
  { orderId, add, remove }: { orderId: string; add: string[]; remove: string[] },
): Promise<ActionResult | null> {
  return db.transaction(async (tx) => {
    if (!(await lockOrder(tx, orderId))) return null;
    const tags = new Set((await readTags(tx, orderId)).filter((tag) => !remove.includes(tag)));
    for (const tag of add) tags.add(tag);
    if (tags.size > maxOrderTags) return refuse(`An order has at most ${maxOrderTags} tags.`);
    if (remove.length > 0) {
      await tx.delete(orderTags).where(and(eq(orderTags.orderId, orderId), inArray(orderTags.tag, remove)));
    }
    const rows = add.map((tag) => ({ orderId, tag }));
    if (rows.length > 0) await tx.insert(orderTags).values(rows).onConflictDoNothing();
    return { ok: true };
  });
}

/** In alphabetical order. */
export async function readTags(db: Db, orderId: string): Promise<string[]> {
  const rows = await db
    .select({ tag: orderTags.tag })
    .from(orderTags)
    .where(eq(orderTags.orderId, orderId))
    .orderBy(asc(orderTags.tag));
  return rows.map(({ tag }) => tag);
}

/** Tags in use, up to 100. The query takes one index step per tag, however many orders have it. */
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
