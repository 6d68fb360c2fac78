import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { uploadLimits } from "../../domain/catalog/upload-limits.ts";
import { jsonb, timestamptz } from "../platform/database/column-types.ts";
import { bytea } from "../visitors/tables.ts";

/**
 * Groups products that are sizes of one another. A trigger on `products` sets each product's name to the family's name and its
 * size.
 */
export const productFamilies = pgTable(
  "product_families",
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    name: text().notNull(),
  },
  (t) => [check("product_families_name_length", sql`char_length(${t.name}) between 1 and 117`)],
);

/** The product that a row is about. */
export function productRef(actions?: { onDelete: "cascade" }) {
  return integer("product_id")
    .notNull()
    .references(() => products.id, actions);
}

export const products = pgTable(
  "products",
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    slug: text().notNull().unique(),
    /** Within a family: the family's name and the size. */
    name: text().notNull(),
    shortDescription: text("short_description").notNull(),
    description: text().notNull(),
    priceCents: integer("price_cents").notNull(),
    currency: text().notNull().default("USD"),
    size: text().notNull(),
    /** Null if the product has one size. The first published size by `familyPosition` represents the family. */
    familyId: integer("family_id").references(() => productFamilies.id),
    familyPosition: integer("family_position"),
    /** Identifiers for shopping search: GS1's number, and the maker's part number. */
    gtin: text(),
    mpn: text(),
    /** The shop's own article number; unique regardless of case. */
    sku: text(),
    weightGrams: integer("weight_grams"),
    /** For customs forms: the number in the Harmonized System, and the country where it was made. */
    hsCode: text("hs_code"),
    originCountry: text("origin_country"),
    /** The shop's purchase price of a unit in cents. Only the owner sees it. */
    cost: integer("cost"),
    /** A former or recommended price in cents, shown struck through if it is above the price. */
    compareAtPrice: integer("compare_at_price"),
    archivedAt: timestamptz("archived_at"),
    /** Optional facts for shoppers; a null one is not shown. */
    scent: text(),
    lasts: text(),
    /** URL of an MP4 file that the gallery plays. */
    videoUrl: text("video_url"),
    benefits: jsonb().$type<string[]>().notNull().default([]),
    usage: text().notNull().default(""),
    isBestseller: boolean("is_bestseller").notNull().default(false),
    isNew: boolean("is_new").notNull().default(false),
    published: boolean().notNull().default(false),
    viewCount: integer("view_count").notNull().default(0),
    /** Counts edits; an edit that started from an older revision is refused. */
    revision: integer().notNull().default(1),
    createdAt: timestamptz("created_at").notNull().defaultNow(),
    updatedAt: timestamptz("updated_at").notNull().defaultNow(),
  },
  (t) => [
    check("products_price_range", sql`${t.priceCents} between 0 and 99999999`),
    check("products_slug_form", sql`${t.slug} ~ '^[a-z0-9]+(-[a-z0-9]+)*$'`),
    // The limits of domain/catalog/product-admin.ts.
    check("products_slug_length", sql`char_length(${t.slug}) <= 80`),
    check("products_name_length", sql`char_length(${t.name}) between 1 and 120`),
    check(
      "products_texts_length",
      sql`char_length(${t.shortDescription}) <= 300 and char_length(${t.description}) <= 5000 and char_length(${t.size}) <= 60 and char_length(${t.usage}) <= 5000`,
    ),
    check("products_scent_length", sql`char_length(${t.scent}) between 1 and 160`),
    check("products_lasts_length", sql`char_length(${t.lasts}) between 1 and 160`),
    check("products_video", sql`${t.videoUrl} ~ '^https://' and char_length(${t.videoUrl}) <= 500`),
    check("products_gtin_form", sql`${t.gtin} ~ '^([0-9]{8}|[0-9]{12,14})$'`),
    check("products_family", sql`(${t.familyId} is null) = (${t.familyPosition} is null)`),
    check("products_family_size", sql`${t.familyId} is null or ${t.size} <> ''`),
    uniqueIndex("products_family_sizes").on(t.familyId, sql`lower(${t.size})`),
    // Deferred (see the migration), so that sizes can change places.
    unique("products_family_position").on(t.familyId, t.familyPosition),
    uniqueIndex("products_sku").on(sql`lower(${t.sku})`),
    check("products_sku_length", sql`char_length(${t.sku}) between 1 and 64`),
    check("products_weight", sql`${t.weightGrams} between 1 and 100000`),
    check("products_hs_code", sql`${t.hsCode} ~ '^[0-9]{6,12}$'`),
    check("products_origin", sql`${t.originCountry} ~ '^[A-Z]{2}$'`),
    check("products_cost", sql`${t.cost} between 0 and 99999999`),
    check("products_compare_at", sql`${t.compareAtPrice} between 1 and 99999999`),
    check("products_archived", sql`${t.archivedAt} is null or not ${t.published}`),
    check("products_mpn_length", sql`char_length(${t.mpn}) between 1 and 70`),
    check(
      "products_benefits",
      sql`jsonb_typeof(${t.benefits}) = 'array' and jsonb_array_length(${t.benefits}) <= 12`,
    ),
  ],
);

/** A price for several units of a product; offered while `active`. */
export const productBundles = pgTable(
  "product_bundles",
  {
    productId: productRef({ onDelete: "cascade" }),
    quantity: integer().notNull(),
    priceCents: integer("price_cents").notNull(),
    active: boolean().notNull().default(true),
    updatedAt: timestamptz("updated_at").notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.productId, t.quantity] }),
    check("product_bundles_quantity", sql`${t.quantity} between 2 and 12`),
    check("product_bundles_price", sql`${t.priceCents} between 1 and 99999999`),
  ],
);

/** Former slugs of products, redirected to the current ones. */
export const productSlugs = pgTable(
  "product_slugs",
  {
    slug: text().primaryKey(),
    productId: productRef({ onDelete: "cascade" }),
    replacedAt: timestamptz("replaced_at").notNull(),
  },
  (t) => [index("product_slugs_product").on(t.productId)],
);

/**
 * Pictures of a product in order. `file` names a master in `assets/images`, whose width and height are in the manifest, or an
 * uploaded original (`u-<16 hex digits>.jpg`), whose width and height are stored here.
 */
export const productImages = pgTable(
  "product_images",
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    productId: productRef({ onDelete: "cascade" }),
    position: integer().notNull(),
    file: text().notNull(),
    alt: text().notNull(),
    /** Of an uploaded picture: pixels after rotation. */
    width: integer(),
    height: integer(),
    /** Shoppers see the picture once it is `ready`: its sizes exist. */
    status: text().$type<"processing" | "ready" | "failed">().notNull().default("ready"),
    /** Why its sizes could not be made. */
    problem: text(),
  },
  (t) => [
    // Deferred (see the migration), so that pictures can change places.
    unique("product_images_position").on(t.productId, t.position),
    check("product_images_status", sql`${t.status} in ('processing','ready','failed')`),
    check("product_images_alt_length", sql`char_length(${t.alt}) between 1 and 300`),
    check(
      "product_images_upload",
      sql`${t.file} !~ '^u-' or (${t.file} ~ '^u-[0-9a-f]{16}\\.jpg$' and coalesce(${t.width}, 0) between 480 and 8000 and coalesce(${t.height}, 0) between 1 and 8000)`,
    ),
  ],
);

/**
 * Uploaded pictures, unchanged, in a separate table, so that no query loads their bytes by accident. All sizes are made
 * from them. An order may still refer to a picture that no product uses any more.
 */
export const pictureOriginals = pgTable(
  "picture_originals",
  {
    file: text().primaryKey(),
    bytes: bytea().notNull(),
    sha256: bytea().notNull(),
    size: integer().notNull(),
    type: text().$type<(typeof uploadLimits.types)[number]>().notNull(),
    /** After rotation, in pixels. */
    width: integer().notNull(),
    height: integer().notNull(),
    /** Set for a damaged original: why no size can be made of it. */
    problem: text(),
    createdAt: timestamptz("created_at").notNull().defaultNow(),
    /** When its picture was removed from a gallery. */
    retiredAt: timestamptz("retired_at"),
  },
  (t) => [
    check("picture_originals_file", sql`${t.file} ~ '^u-[0-9a-f]{16}\\.jpg$'`),
    check(
      "picture_originals_size",
      sql`${t.size} = octet_length(${t.bytes}) and ${t.size} between 1 and 10485760`,
    ),
    check("picture_originals_sha256", sql`${t.sha256} = sha256(${t.bytes})`),
    check("picture_originals_type", sql`${t.type} in ('image/jpeg','image/png','image/webp','image/avif')`),
    check("picture_originals_sides", sql`${t.width} between 480 and 8000 and ${t.height} between 1 and 8000`),
  ],
);

/** One row per product, visitor and hour, so that repeated views count once. */
export const productViews = pgTable(
  "product_views",
  {
    productId: productRef({ onDelete: "cascade" }),
    viewerKey: text("viewer_key").notNull(),
    hour: timestamptz().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.productId, t.viewerKey, t.hour] }),
    // Serves the purge.
    index("product_views_hour").on(t.hour),
  ],
);

/** Views per product and hour; kept when the rows of `product_views` are purged. */
export const productViewHours = pgTable(
  "product_view_hours",
  {
    hour: timestamptz().notNull(),
    productId: productRef({ onDelete: "cascade" }),
    views: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.hour, t.productId] }),
    index("product_view_hours_product").on(t.productId),
  ],
);
