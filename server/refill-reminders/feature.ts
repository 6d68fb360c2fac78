import { and, asc, eq, inArray, lte } from "drizzle-orm";
import type { Feature } from "../feature.ts";
import { orders } from "../orders/tables.ts";
import type { Person, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { refillRemindersApi } from "./api.ts";
import { purgeRefillReminders } from "./commands.ts";
import { refillRemindersMail, remindOfRefillTask } from "./remind.ts";
import { refillReminders } from "./tables.ts";

/** Opt-in e-mails to buyers when a bottle should be nearly empty. */
export const refillRemindersFeature = {
  api: refillRemindersApi,
  cron: (ctx) => [remindOfRefillTask(ctx)],
  mail: refillRemindersMail,
  purges: [purgeRefillReminders],
  personalData: { lists: { refillReminders: exportRefillReminders }, erase: eraseRefillReminders },
} satisfies Feature;

/** Requested reminders for these orders that were not sent yet. */
async function exportRefillReminders(db: Db, { orderIds }: Person, limit: number) {
  return db
    .select({ orderNumber: orders.number, askedAt: refillReminders.askedAt })
    .from(refillReminders)
    .innerJoin(orders, eq(orders.id, refillReminders.orderId))
    .where(inArray(refillReminders.orderId, orderIds))
    .orderBy(asc(orders.number))
    .limit(limit);
}

/** Deletes requests made until a time, also of orders that must be kept. */
async function eraseRefillReminders(tx: Db, { orderIds, until }: PersonToErase): Promise<void> {
  await tx
    .delete(refillReminders)
    .where(and(inArray(refillReminders.orderId, orderIds), lte(refillReminders.askedAt, until)));
}
