import { and, eq, inArray, lt, sql } from "drizzle-orm";
import type { PaymentMode } from "../../domain/payment-mode.ts";
import { lockOrder } from "../orders/lifecycle.ts";
import { orders } from "../orders/tables.ts";
import type { Database, Db } from "../platform/database.ts";
import { payments } from "./tables.ts";

/**
 * Writes down a payment that was opened for an order, as long as the order still waits for one; answers whether it does.
 * Earlier revisions are dead by then; an order has at most one that can be paid, and the database refuses a second.
 * Repeating it changes nothing.
 */
export async function recordPayment(db: Database, payment: NewPayment): Promise<boolean> {
  // Nearly every order has one payment only: one statement, which locks the order as it looks at it.
  if (payment.revision === 1 && (await insertPayment(db, payment)) === 1) return true;
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, payment.orderId);
    if (order?.status !== "pending") return false;
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
    await insertPayment(tx, payment);
    return true;
  });
}

type NewPayment = {
  orderId: string;
  provider: "stripe" | "sandbox";
  account: string | null;
  mode: PaymentMode;
  revision: number;
  intentId: string | null;
  sessionId: string | null;
  amountCents: number;
  currency: string;
};

/** How many rows were written: 0 where the order no longer waits, or the payment stands there already. */
async function insertPayment(db: Db, payment: NewPayment): Promise<number> {
  const { rowCount } = await db.execute(sql`
    insert into ${payments} (order_id, provider, account, mode, revision, intent_id, session_id, status, amount_cents, currency)
    select id, ${payment.provider}, ${payment.account}, ${payment.mode}, ${payment.revision}::int, ${payment.intentId}, ${payment.sessionId},
      'requires_payment', ${payment.amountCents}::int, ${payment.currency}
    from ${orders} where id = ${payment.orderId} and status = 'pending' for update
    on conflict do nothing`);
  return rowCount ?? 0;
}

/** Gives up an order's open payments without asking the provider, where its answer can no longer change anything. */
export async function abandonPayments(db: Db, orderId: string): Promise<void> {
  await db
    .update(payments)
    .set({ status: "canceled" })
    .where(and(eq(payments.orderId, orderId), inArray(payments.status, ["requires_payment", "processing"])));
}
