import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { products } from "../catalog/tables.ts";

export const reviews = pgTable(
  "reviews",
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    productId: integer("product_id")
      .notNull()
      .references(() => products.id),
    rating: integer().notNull(),
    comment: text().notNull(),
    customerName: text("customer_name"),
    verified: boolean().notNull().default(false),
    status: text().$type<"published" | "hidden" | "pending">().notNull(),
    reply: text(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    check("reviews_rating", sql`${t.rating} between 1 and 5`),
    check("reviews_comment_length", sql`char_length(${t.comment}) between 10 and 500`),
    check("reviews_status", sql`${t.status} in ('published','hidden','pending')`),
    index("reviews_newest").on(t.productId, t.createdAt, t.id).where(sql`${t.status} = 'published'`),
  ],
);
