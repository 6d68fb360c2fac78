import { eq, inArray } from "drizzle-orm";
import type { ShopContext } from "../context.ts";
import type { PersonalDataOf } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { payments, refunds } from "./tables.ts";

async function exportPayments(db: Db, orderId: string) {
  return db
    .select({
      provider: payments.provider,
      reference: payments.intentId,
      status: payments.status,
      amountCents: payments.amountCents,
      currency: payments.currency,
      createdAt: payments.createdAt,
    })
    .from(payments)
    .where(eq(payments.orderId, orderId))
    .orderBy(payments.id);
}

export const paymentsPersonalData: PersonalDataOf<ShopContext> = {
  ofOrder: async (db, orderId) => ({ payments: await exportPayments(db, orderId) }),
  /** Erases the card used and the owner's reasons for refunds; amounts, states and dates stay. */
  async eraseOrders(tx, orderIds) {
    await tx.update(payments).set({ paidWith: null }).where(inArray(payments.orderId, orderIds));
    await tx.update(refunds).set({ reason: null }).where(inArray(refunds.orderId, orderIds));
  },
};
