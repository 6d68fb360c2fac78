import { and, asc, eq, inArray, lte } from "drizzle-orm";
import { orders } from "../orders/tables.ts";
import type { Person, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { refillReminders } from "./tables.ts";

/** Requested reminders for these orders that were not sent yet. */
export async function exportRefillReminders(db: Db, { orderIds }: Person, limit: number) {
  return db
    .select({ orderNumber: orders.number, askedAt: refillReminders.askedAt })
    .from(refillReminders)
    .innerJoin(orders, eq(orders.id, refillReminders.orderId))
    .where(inArray(refillReminders.orderId, orderIds))
    .orderBy(asc(orders.number))
    .limit(limit);
}

/** Deletes requests made until a time, also of orders that must be kept. */
export async function eraseRefillReminders(tx: Db, { orderIds, until }: PersonToErase): Promise<void> {
  await tx
    .delete(refillReminders)
    .where(and(inArray(refillReminders.orderId, orderIds), lte(refillReminders.askedAt, until)));
}
