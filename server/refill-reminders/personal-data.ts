import { and, asc, eq, inArray, lte } from "drizzle-orm";
import { orders } from "../orders/tables.ts";
import type { Person, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { refillReminders } from "./tables.ts";

/** The reminders that the buyer of these orders still waits for. */
export async function exportRefillReminders(db: Db, { orderIds }: Person, limit: number) {
  return db
    .select({ orderNumber: orders.number, askedAt: refillReminders.askedAt })
    .from(refillReminders)
    .innerJoin(orders, eq(orders.id, refillReminders.orderId))
    .where(inArray(refillReminders.orderId, orderIds))
    .orderBy(asc(orders.number))
    .limit(limit);
}

/** Deletes what was wished for until a time, also of orders that have to be kept for now. */
export async function eraseRefillReminders(tx: Db, { orderIds, until }: PersonToErase): Promise<void> {
  await tx
    .delete(refillReminders)
    .where(and(inArray(refillReminders.orderId, orderIds), lte(refillReminders.askedAt, until)));
}
