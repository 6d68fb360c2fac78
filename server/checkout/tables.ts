import { index, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { jsonb } from "../platform/database/column-types.ts";
import { visitors } from "../visitors/tables.ts";

/** Carts whose shoppers requested a reminder; deleted on purchase or on request. */
export const cartReminders = pgTable(
  "cart_reminders",
  {
    id: uuid().primaryKey(),
    visitorId: uuid("visitor_id")
      .notNull()
      .unique()
      .references(() => visitors.id, { onDelete: "cascade" }),
    email: text().notNull(),
    items: jsonb().$type<{ productId: number; quantity: number }[]>().notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    /** When the e-mail goes out. */
    dueAt: timestamp("due_at", { withTimezone: true }).notNull(),
    sentAt: timestamp("sent_at", { withTimezone: true }),
  },
  (t) => [index("cart_reminders_due").on(t.dueAt), index("cart_reminders_created").on(t.createdAt)],
);
