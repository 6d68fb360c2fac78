import { inArray } from "drizzle-orm";
import type { Db } from "../platform/database/database.ts";
import { issues, payments, refunds } from "./tables.ts";

/** Takes out what the owner wrote about the payments of these orders, and with which card; amounts, states and dates stay. */
export async function erasePaymentTexts(tx: Db, orderIds: string[]): Promise<void> {
  await tx.update(payments).set({ paidWith: null }).where(inArray(payments.orderId, orderIds));
  await tx.update(refunds).set({ reason: null }).where(inArray(refunds.orderId, orderIds));
  await tx.update(issues).set({ resolution: null }).where(inArray(issues.orderId, orderIds));
}
