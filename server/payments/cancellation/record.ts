import { and, eq, inArray } from "drizzle-orm";
import type { Db } from "../../platform/database.ts";
import { payments } from "../tables.ts";

/** Gives up an order's open payments without asking the provider, where its answer can no longer change anything. */
export async function abandonPayments(db: Db, orderId: string): Promise<void> {
  await db
    .update(payments)
    .set({ status: "canceled" })
    .where(and(eq(payments.orderId, orderId), inArray(payments.status, ["requires_payment", "processing"])));
}
