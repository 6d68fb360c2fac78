import { eq, max } from "drizzle-orm";
import type { Db } from "../../platform/database/database.ts";
import { payments } from "../tables.ts";

/** The number of an order's next payment. The caller holds the order's lock. */
export async function nextRevision(tx: Db, orderId: string): Promise<number> {
  const [last] = await tx
    .select({ revision: max(payments.revision) })
    .from(payments)
    .where(eq(payments.orderId, orderId));
  return (last?.revision ?? 0) + 1;
}
