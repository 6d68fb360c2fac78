import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { ShippingAddress } from "../../domain/orders/order.ts";
import { orders } from "../orders/tables.ts";
import { jsonb, timestamptz } from "../platform/database/column-types.ts";

/** Draft orders, to be paid by a link or outside the shop; the payment turns a draft into an order. */
export const orderDrafts = pgTable(
  "order_drafts",
  {
    id: uuid().primaryKey(),
    /** Counts edits from 1; part of the idempotency key of the order made from it. */
    revision: integer().notNull().default(1),
    email: text().notNull(),
    customerName: text("customer_name").notNull(),
    phone: text(),
    shipping: jsonb().$type<ShippingAddress>().notNull(),
    shippingOption: text("shipping_option"),
    /** The agreed price of the shipping; null for the price of the shipping policy. */
    shippingCents: integer("shipping_cents"),
    /** `price`: the agreed price of one unit, in cents. */
    items: jsonb().$type<{ productId: number; quantity: number; price?: number | null }[]>().notNull(),
    discountCode: text("discount_code"),
    /** The owner's discount on goods, if there is no code. */
    discountCents: integer("discount_cents").notNull().default(0),
    note: text(),
    createdAt: timestamptz("created_at").notNull(),
    changedAt: timestamptz("changed_at").notNull(),
    sentAt: timestamptz("sent_at"),
    /** When its link stops working. */
    expiresAt: timestamptz("expires_at").notNull(),
    /** The latest order made from it. */
    orderId: uuid("order_id").references(() => orders.id),
  },
  (t) => [
    check("order_drafts_discount", sql`${t.discountCents} >= 0`),
    check("order_drafts_shipping", sql`${t.shippingCents} >= 0`),
    check("order_drafts_revision", sql`${t.revision} > 0`),
    index("order_drafts_newest").on(t.createdAt, t.id),
    index("order_drafts_changed").on(t.changedAt),
    index("order_drafts_email").on(sql`lower(${t.email})`),
    index("order_drafts_order").on(t.orderId),
  ],
);
