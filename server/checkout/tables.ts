import { index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { jsonb, timestamptz } from "../platform/database/column-types.ts";
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
    createdAt: timestamptz("created_at").notNull(),
    /** When the e-mail is sent. */
    dueAt: timestamptz("due_at").notNull(),
    sentAt: timestamptz("sent_at"),
  },
  (t) => [index("cart_reminders_due").on(t.dueAt), index("cart_reminders_created").on(t.createdAt)],
);
