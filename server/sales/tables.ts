import { bigint, integer, pgTable, timestamp } from "drizzle-orm/pg-core";

/**
 * What was sold in each hour, in cents: long periods are read from here, and only the newest hours from the orders
 * themselves. Made anew by a job whenever it may have changed; nothing else depends on it.
 */
export const salesHours = pgTable("sales_hours", {
  hour: timestamp({ withTimezone: true }).primaryKey(),
  /** Orders paid in this hour, and what they came to. */
  orders: integer().notNull(),
  goodsCents: bigint("goods_cents", { mode: "number" }).notNull(),
  shippingCents: bigint("shipping_cents", { mode: "number" }).notNull(),
  taxCents: bigint("tax_cents", { mode: "number" }).notNull(),
  /** Orders placed in this hour, paid or not. */
  checkouts: integer().notNull(),
  /** Refunds that went through in this hour, and what of them was for goods. */
  refunds: integer().notNull(),
  refundedCents: bigint("refunded_cents", { mode: "number" }).notNull(),
});
