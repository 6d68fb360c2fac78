import { sql } from "drizzle-orm";
import { orders } from "../orders/tables.ts";
import type { Database } from "../platform/database.ts";

/** How many orders there are of each status, for the metrics. */
export async function countOrders(db: Database): Promise<Record<string, number>> {
  const rows = await db
    .select({ status: orders.status, count: sql<number>`count(*)::int` })
    .from(orders)
    .groupBy(orders.status);
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/** Whether the database answers. */
export async function answers(db: Database): Promise<boolean> {
  try {
    await db.execute(sql`select 1`);
    return true;
  } catch {
    return false;
  }
}
