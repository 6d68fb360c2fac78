import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { PhotoStatus, ReviewStatus } from "../../domain/reviews/review.ts";
import type { HairType, SkinType } from "../../domain/reviews/writer-traits.ts";
import { pictureOriginals, productRef, products } from "../catalog/tables.ts";
import { orders } from "../orders/tables.ts";
import { timestamptz } from "../platform/database/column-types.ts";
import { visitors } from "../visitors/tables.ts";

/** One review per product and visitor, and per product and order: posting again edits it. */
export const reviews = pgTable(
  "reviews",
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    productId: productRef(),
    visitorId: uuid("visitor_id").references(() => visitors.id, { onDelete: "set null" }),
    /** The paid order that proves the purchase; null if the purchase is not verified. */
    orderId: uuid("order_id").references(() => orders.id),
    rating: integer().notNull(),
    comment: text().notNull(),
    customerName: text("customer_name"),
    /** Optional facts about the writer. */
    hair: text().$type<HairType>(),
    skin: text().$type<SkinType>(),
    verified: boolean().notNull().default(false),
    status: text().$type<ReviewStatus>().notNull(),
    /** Why the owner hid it; only the owner sees it. */
    hiddenReason: text("hidden_reason"),
    reply: text(),
    repliedAt: timestamptz("replied_at"),
    createdAt: timestamptz("created_at").notNull().defaultNow(),
    /** When its writer last edited it; null if it was never edited. */
    editedAt: timestamptz("edited_at"),
    /** Number of approved photos, and of votes; written by triggers only. */
    photosShown: integer("photos_shown").notNull().default(0),
    helpfulCount: integer("helpful_count").notNull().default(0),
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
    index("reviews_shown_helpful").on(t.helpfulCount, t.id).where(sql`${t.status} = 'published'`),
    index("reviews_shown_by_hair")
      .on(t.hair, t.id)
      .where(sql`${t.status} = 'published' and ${t.hair} is not null`),
    index("reviews_shown_by_skin")
      .on(t.skin, t.id)
      .where(sql`${t.status} = 'published' and ${t.skin} is not null`),
    index("reviews_shown_with_photos")
      .on(t.id)
      .where(sql`${t.status} = 'published' and ${t.photosShown} > 0`),
    index("reviews_visitor").on(t.visitorId),
    index("reviews_order").on(t.orderId),
    index("reviews_by_status").on(t.status, t.id),
  ],
);

/** Published reviews of a product by rating; written by a trigger on `reviews` only. */
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

/**
 * Number of published reviews of a product for each combination of filters; a trait is '' if the writer did not state it. Written
 * by a trigger on `reviews` only.
 */
export const reviewCounts = pgTable(
  "review_counts",
  {
    productId: productRef({ onDelete: "cascade" }),
    rating: integer().notNull(),
    hair: text().notNull(),
    skin: text().notNull(),
    hasPhotos: boolean("has_photos").notNull(),
    count: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.productId, t.rating, t.hair, t.skin, t.hasPhotos] }),
    check("review_counts_not_negative", sql`${t.count} >= 0`),
  ],
);

/** Votes for helpful reviews. They are kept when their visitor is purged. */
export const reviewVotes = pgTable(
  "review_votes",
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    reviewId: integer("review_id")
      .notNull()
      .references(() => reviews.id, { onDelete: "cascade" }),
    visitorId: uuid("visitor_id").references(() => visitors.id, { onDelete: "set null" }),
    createdAt: timestamptz("created_at").notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("review_votes_one_per_visitor").on(t.reviewId, t.visitorId),
    index("review_votes_visitor").on(t.visitorId),
  ],
);

/**
 * Photos uploaded by shoppers; `reviewId` is null until the review is posted. Shoppers see approved ones. A trigger deletes
 * the original with its row.
 */
export const reviewPhotos = pgTable(
  "review_photos",
  {
    file: text()
      .primaryKey()
      .references(() => pictureOriginals.file),
    reviewId: integer("review_id").references(() => reviews.id, { onDelete: "cascade" }),
    visitorId: uuid("visitor_id").references(() => visitors.id, { onDelete: "set null" }),
    position: integer().notNull().default(0),
    width: integer().notNull(),
    height: integer().notNull(),
    status: text().$type<PhotoStatus>().notNull().default("held"),
    createdAt: timestamptz("created_at").notNull().defaultNow(),
  },
  (t) => [
    check("review_photos_status", sql`${t.status} in ('held','shown')`),
    check("review_photos_shown_with_review", sql`${t.status} = 'held' or ${t.reviewId} is not null`),
    index("review_photos_review").on(t.reviewId, t.position).where(sql`${t.reviewId} is not null`),
    index("review_photos_held")
      .on(t.reviewId, t.file)
      .where(sql`${t.reviewId} is not null and ${t.status} = 'held'`),
    index("review_photos_unsent").on(t.createdAt).where(sql`${t.reviewId} is null`),
    index("review_photos_visitor").on(t.visitorId),
  ],
);
