import { eq, inArray } from "drizzle-orm";
import type { Feature } from "../feature.ts";
import type { Db } from "../platform/database/database.ts";
import { paymentsApi, sandboxApi } from "./api.ts";
import { purgePaymentEvents } from "./events/read.ts";
import { paymentTasks, recurringPaymentTasks } from "./jobs.ts";
import { paymentsMail } from "./mail.ts";
import { purgeDeclines } from "./settling/declines.ts";
import { payments, refunds } from "./tables.ts";

/** Payments of orders: opening, settling, the provider's events, refunds and cancellation. */
export const paymentsFeature = {
  api: [...paymentsApi, ...sandboxApi],
  tasks: paymentTasks,
  cron: recurringPaymentTasks,
  mail: paymentsMail,
  purges: [purgePaymentEvents, purgeDeclines],
  personalData: {
    ofOrder: async (db, orderId) => ({ payments: await exportPayments(db, orderId) }),
    /** Erases the card used and the owner's reasons for refunds; amounts, states and dates stay. */
    async eraseOrders(tx, orderIds) {
      await tx.update(payments).set({ paidWith: null }).where(inArray(payments.orderId, orderIds));
      await tx.update(refunds).set({ reason: null }).where(inArray(refunds.orderId, orderIds));
    },
  },
} satisfies Feature;

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
