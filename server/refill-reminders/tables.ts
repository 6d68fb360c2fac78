import { index, pgTable, uuid } from "drizzle-orm/pg-core";
import { orders } from "../orders/tables.ts";
import { timestamptz } from "../platform/database/column-types.ts";

/** Refill reminders that buyers requested at `askedAt`; deleted once the reminder is sent or pointless. */
export const refillReminders = pgTable(
  "refill_reminders",
  {
    orderId: uuid("order_id")
      .primaryKey()
      .references(() => orders.id),
    askedAt: timestamptz("asked_at").notNull(),
  },
  (t) => [index("refill_reminders_asked").on(t.askedAt)],
);
