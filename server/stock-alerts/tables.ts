import { index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { products } from "../catalog/tables.ts";
import { bytea } from "../visitors/tables.ts";

/** Addresses that wait for a product to be back in stock, one row per address and product. */
export const stockAlerts = pgTable(
  "stock_alerts",
  {
    id: uuid().primaryKey(),
    productId: integer("product_id")
      .notNull()
      .references(() => products.id, { onDelete: "cascade" }),
    email: text().notNull(),
    /** As unsubscribe links name the address (`hashOf` in server/outbox/optouts.ts). */
    emailHash: bytea("email_hash").notNull(),
    /** When it was last asked for. */
    askedAt: timestamp("asked_at", { withTimezone: true }).notNull(),
    /** When the address's owner agreed; null: nothing is sent. */
    confirmedAt: timestamp("confirmed_at", { withTimezone: true }),
    /** When the e-mail was enqueued; not again until it is asked for again. */
    notifiedAt: timestamp("notified_at", { withTimezone: true }),
  },
  (t) => [
    uniqueIndex("stock_alerts_address").on(t.emailHash, t.productId),
    index("stock_alerts_waiting").on(t.productId, t.notifiedAt, t.confirmedAt),
    index("stock_alerts_asked").on(t.askedAt),
  ],
);
