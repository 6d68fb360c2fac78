import { asc, eq, isNull } from "drizzle-orm";
import type { AttentionMatter } from "../../domain/admin.ts";
import { orders } from "../orders/tables.ts";
import { paymentFlags } from "../payments/tables.ts";
import type { Db } from "../platform/database.ts";

const shownMax = 100;

/** What waits for the owner, oldest first. */
export async function listAttention(db: Db): Promise<AttentionMatter[]> {
  const rows = await db
    .select({ flag: paymentFlags, orderNumber: orders.number })
    .from(paymentFlags)
    .leftJoin(orders, eq(orders.id, paymentFlags.orderId))
    .where(isNull(paymentFlags.resolvedAt))
    .orderBy(asc(paymentFlags.id))
    .limit(shownMax);
  return rows.map(({ flag, orderNumber }) => ({
    id: flag.id,
    kind: flag.kind,
    message: flag.message,
    createdAt: flag.createdAt.toISOString(),
    orderId: flag.orderId,
    orderNumber,
  }));
}
