import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { ReviewStatus } from "../../domain/reviews/review.ts";
import { products } from "../catalog/tables.ts";
import { orders } from "../orders/tables.ts";
import { visitors } from "../visitors/tables.ts";

/** One review per product and visitor, and per product and order: posting again edits it. */
export const reviews = pgTable(
  "reviews",
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    productId: integer("product_id")
      .notNull()
      .references(() => products.id),
    visitorId: uuid("visitor_id").references(() => visitors.id, { onDelete: "set null" }),
    /** The paid order that proves the purchase; null: not verified. */
    orderId: uuid("order_id").references(() => orders.id),
    rating: integer().notNull(),
    comment: text().notNull(),
    customerName: text("customer_name"),
    verified: boolean().notNull().default(false),
    status: text().$type<ReviewStatus>().notNull(),
    /** Why the owner hid it; for the owner alone. */
    hiddenReason: text("hidden_reason"),
    reply: text(),
    repliedAt: timestamp("replied_at", { withTimezone: true }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    /** When its writer last changed it; null: never. */
    editedAt: timestamp("edited_at", { withTimezone: true }),
  },
  (t) => [
    check("reviews_rating", sql`${t.rating} between 1 and 5`),
    check("reviews_comment_length", sql`char_length(${t.comment}) between 10 and 500`),
    check("reviews_status", sql`${t.status} in ('published','hidden','pending')`),
    check("reviews_verified_by_order", sql`not ${t.verified} or ${t.orderId} is not null`),
    uniqueIndex("reviews_one_per_visitor").on(t.productId, t.visitorId),
    uniqueIndex("reviews_one_per_order").on(t.productId, t.orderId),
    index("reviews_shown").on(t.productId, t.id).where(sql`${t.status} = 'published'`),
    index("reviews_shown_by_rating").on(t.productId, t.rating, t.id).where(sql`${t.status} = 'published'`),
    index("reviews_shown_all").on(t.id).where(sql`${t.status} = 'published'`),
    index("reviews_shown_all_by_rating").on(t.rating, t.id).where(sql`${t.status} = 'published'`),
    index("reviews_visitor").on(t.visitorId),
    index("reviews_order").on(t.orderId),
    index("reviews_by_status").on(t.status, t.id),
  ],
);

/** How many published reviews of each rating a product has. Kept by a trigger on `reviews`: nobody else writes it. */
export const productRatings = pgTable(
  "product_ratings",
  {
    productId: integer("product_id")
      .primaryKey()
      .references(() => products.id, { onDelete: "cascade" }),
    stars1: integer("stars_1").notNull().default(0),
    stars2: integer("stars_2").notNull().default(0),
    stars3: integer("stars_3").notNull().default(0),
    stars4: integer("stars_4").notNull().default(0),
    stars5: integer("stars_5").notNull().default(0),
  },
  (t) => [
    check(
      "product_ratings_not_negative",
      sql`least(${t.stars1}, ${t.stars2}, ${t.stars3}, ${t.stars4}, ${t.stars5}) >= 0`,
    ),
  ],
);
