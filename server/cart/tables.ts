import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import type { LiveRates } from "../../domain/shipping/shipping-policy.ts";
import { productRef } from "../catalog/tables.ts";
import { jsonb, timestamptz } from "../platform/database/column-types.ts";
import { bytea, visitors } from "../visitors/tables.ts";

/** Lines of visitors' carts, without prices. */
export const cartItems = pgTable(
  "cart_items",
  {
    visitorId: uuid("visitor_id")
      .notNull()
      .references(() => visitors.id, { onDelete: "cascade" }),
    productId: productRef({ onDelete: "cascade" }),
    quantity: integer().notNull(),
    /** The units added by the last Buy Now; 0 after any other edit of the cart. */
    buyNowUnits: integer("buy_now_units").notNull().default(0),
    addedAt: timestamptz("added_at").notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.visitorId, t.productId] }),
    index("cart_items_product").on(t.productId),
    check("cart_items_quantity", sql`${t.quantity} between 1 and 99`),
  ],
);

/** Carriers' prices that a visitor was shown at checkout. */
export const rateQuotes = pgTable(
  "rate_quotes",
  {
    id: uuid().primaryKey(),
    /** Does not reference `visitors`, because a visitor who was only shown a price has no row there. */
    visitorId: uuid("visitor_id").notNull(),
    /** Hash of everything that the price may depend on, such as lines and address. */
    contentHash: bytea("content_hash").notNull(),
    rates: jsonb().$type<LiveRates>().notNull(),
    expiresAt: timestamptz("expires_at").notNull(),
  },
  (t) => [
    index("rate_quotes_visitor").on(t.visitorId, t.contentHash),
    index("rate_quotes_expiry").on(t.expiresAt),
  ],
);
