import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { products } from "../catalog/tables.ts";

/** Units of a product: on the shelf, and how many of those are promised to unpaid orders. */
export const stock = pgTable(
  "stock",
  {
    productId: integer("product_id")
      .primaryKey()
      .references(() => products.id, { onDelete: "cascade" }),
    onHand: integer("on_hand").notNull(),
    reserved: integer().notNull().default(0),
  },
  (t) => [
    check("stock_on_hand_not_negative", sql`${t.onHand} >= 0`),
    check("stock_reserved_within_on_hand", sql`${t.reserved} between 0 and ${t.onHand}`),
  ],
);

/** Every change of stock. An order sells a product once at most, and gives it back once: the database refuses more. */
export const stockMovements = pgTable(
  "stock_movements",
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    productId: integer("product_id")
      .notNull()
      .references(() => products.id),
    orderId: uuid("order_id"),
    kind: text().$type<"reserved" | "released" | "sold" | "returned" | "adjusted">().notNull(),
    /** Units moved, always positive except for adjustments. */
    quantity: integer().notNull(),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    note: text(),
  },
  (t) => [
    check("stock_movements_kind", sql`${t.kind} in ('reserved','released','sold','returned','adjusted')`),
    uniqueIndex("stock_movements_sold_once").on(t.orderId, t.productId).where(sql`${t.kind} = 'sold'`),
    uniqueIndex("stock_movements_returned_once")
      .on(t.orderId, t.productId)
      .where(sql`${t.kind} = 'returned'`),
    index("stock_movements_product").on(t.productId, t.at),
  ],
);
