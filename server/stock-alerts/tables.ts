import { index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { productRef } from "../catalog/tables.ts";
import { timestamptz } from "../platform/database/column-types.ts";
import { bytea } from "../visitors/tables.ts";

/** Requests for an e-mail when a product is back in stock, one per address and product. */
export const stockAlerts = pgTable(
  "stock_alerts",
  {
    id: uuid().primaryKey(),
    productId: productRef({ onDelete: "cascade" }),
    email: text().notNull(),
    /** Hash of the address, as in unsubscribe links (`hashEmail` in server/outbox/optouts.ts). */
    emailHash: bytea("email_hash").notNull(),
    /** Time of the latest request. */
    askedAt: timestamptz("asked_at").notNull(),
    /** Null if not confirmed, so no alert is sent. */
    confirmedAt: timestamptz("confirmed_at"),
    /** When the e-mail was enqueued; a new request resets it. */
    notifiedAt: timestamptz("notified_at"),
  },
  (t) => [
    uniqueIndex("stock_alerts_address").on(t.emailHash, t.productId),
    index("stock_alerts_waiting").on(t.productId, t.notifiedAt, t.confirmedAt),
    index("stock_alerts_asked").on(t.askedAt),
  ],
);
