import { index, pgTable, timestamp, uuid } from "drizzle-orm/pg-core";
import { orders } from "../orders/tables.ts";

/** Orders whose buyers asked to be reminded of a refill; a row goes once it is sent, or has become pointless. */
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
