import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, timestamp, uuid } from "drizzle-orm/pg-core";
import { products } from "../catalog/tables.ts";
import { visitors } from "../visitors/tables.ts";

/** Lines of visitors' carts, without prices. */
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
    /** The units added by the last Buy Now; 0 after any other edit of the cart. */
    buyNowUnits: integer("buy_now_units").notNull().default(0),
    addedAt: timestamp("added_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.visitorId, t.productId] }),
    index("cart_items_product").on(t.productId),
    check("cart_items_quantity", sql`${t.quantity} between 1 and 99`),
  ],
);
