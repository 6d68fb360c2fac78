import { and, eq, inArray, lt } from "drizzle-orm";
import type { Db } from "../platform/database.ts";
import { payments } from "./tables.ts";

/**
 * Writes down a payment that was opened for an order. Earlier revisions are dead by then; an order has at most one that
 * can be paid, and the database refuses a second. Repeating it changes nothing.
 */
export async function recordPayment(
  tx: Db,
  payment: Omit<typeof payments.$inferInsert, "id" | "status" | "createdAt">,
): Promise<void> {
  if (payment.revision > 1) {
    await tx
      .update(payments)
      .set({ status: "canceled" })
      .where(
        and(
          eq(payments.orderId, payment.orderId),
          lt(payments.revision, payment.revision),
          eq(payments.status, "requires_payment"),
        ),
      );
  }
  await tx
    .insert(payments)
    .values({ ...payment, status: "requires_payment" })
    .onConflictDoNothing();
}

/** Gives up an order's open payments without asking the provider, where its answer can no longer change anything. */
export async function abandonPayments(db: Db, orderId: string): Promise<void> {
  await db
    .update(payments)
    .set({ status: "canceled" })
    .where(and(eq(payments.orderId, orderId), inArray(payments.status, ["requires_payment", "processing"])));
}
