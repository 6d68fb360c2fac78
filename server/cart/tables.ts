import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, timestamp, uuid } from "drizzle-orm/pg-core";
import { products } from "../catalog/tables.ts";
import { visitors } from "../visitors/tables.ts";

/** A visitor's cart: what, never how much it costs. */
export const cartItems = pgTable(
  "cart_items",
  {
    visitorId: uuid("visitor_id")
      .notNull()
      .references(() => visitors.id, { onDelete: "cascade" }),
    productId: integer("product_id")
      .notNull()
      .references(() => products.id, { onDelete: "cascade" }),
    quantity: integer().notNull(),
    /** How many of them the last Buy Now put there, if nothing else has changed the cart since. */
    buyNowUnits: integer("buy_now_units").notNull().default(0),
    addedAt: timestamp("added_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.visitorId, t.productId] }),
    index("cart_items_product").on(t.productId),
    check("cart_items_quantity", sql`${t.quantity} between 1 and 99`),
  ],
);
