import { index, pgTable, timestamp, uuid } from "drizzle-orm/pg-core";
import { orders } from "../orders/tables.ts";

/** Refill reminders that buyers requested at `askedAt`; deleted once the reminder is sent or pointless. */
export const refillReminders = pgTable(
  "refill_reminders",
  {
    orderId: uuid("order_id")
      .primaryKey()
      .references(() => orders.id),
    askedAt: timestamp("asked_at", { withTimezone: true }).notNull(),
  },
  (t) => [index("refill_reminders_asked").on(t.askedAt)],
);
