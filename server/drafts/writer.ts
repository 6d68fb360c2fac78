import { and, desc, eq, sql } from "drizzle-orm";
import { activity } from "../admin/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { orderDrafts } from "./tables.ts";

/**
 * Who in the panel has last written, sent or handed out the draft that an order was made of: its e-mail address is theirs to choose, and
 * its link may have been opened by them. Null: the order was made of no draft.
 */
export async function whoWroteDraft(
  db: Db,
  { orderId }: { orderId: string },
): Promise<{ personId: string | null } | null> {
  const [last] = await db
    .select({ personId: activity.personId })
    .from(orderDrafts)
    .innerJoin(activity, eq(activity.subject, sql`'draft:' || ${orderDrafts.id}`))
    .where(and(eq(orderDrafts.orderId, orderId), eq(activity.outcome, "done")))
    .orderBy(desc(activity.id))
    .limit(1);
  return last ?? null;
}
