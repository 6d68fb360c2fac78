import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { jsonb, timestamptz } from "../platform/database/column-types.ts";

/** The details of an imported person. None is empty; `country` is an ISO 3166 code. */
export type ImportedDetails = Partial<Record<"name" | "phone" | "city" | "country", string>>;

/**
 * Buyers of paid orders, and imported people. Name, place and sums are computed from the orders of the customer's addresses
 * (refresh.ts); tags and notes are the owner's.
 */
export const customers = pgTable(
  "customers",
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    /** Lower case; one of its `customer_emails`. */
    email: text().notNull().unique(),
    name: text().notNull().default(""),
    phone: text(),
    city: text(),
    country: text(),
    /** Names, addresses, cities and phone numbers (digits only) of all its orders, in lower case. */
    search: text().notNull().default(""),
    orders: integer().notNull().default(0),
    valueCents: bigint("value_cents", { mode: "number" }).notNull().default(0),
    refundedCents: bigint("refunded_cents", { mode: "number" }).notNull().default(0),
    firstOrderAt: timestamptz("first_order_at"),
    /** 'epoch' if no order is left, so that it sorts last. */
    lastOrderAt: timestamptz("last_order_at").notNull().default(sql`'epoch'`),
    tags: text().array().notNull().default(sql`'{}'`),
    /** Details from an import, shown where orders have none. */
    imported: jsonb().$type<ImportedDetails>(),
    importedAt: timestamptz("imported_at"),
    /** Counts the owner's edits; an edit that started from an older revision is refused. */
    revision: integer().notNull().default(1),
  },
  (t) => [
    index("customers_last_order").on(t.lastOrderAt, t.id),
    index("customers_value").on(t.valueCents, t.id),
    index("customers_orders").on(t.orders, t.id),
    index("customers_country").on(t.country, t.lastOrderAt, t.id),
    index("customers_tags").using("gin", t.tags),
    index("customers_tagged").on(t.id).where(sql`${t.tags} <> '{}'`),
  ],
);

/** The addresses of a customer, in lower case; they assign orders to customers. */
export const customerEmails = pgTable(
  "customer_emails",
  {
    email: text().primaryKey(),
    customerId: integer("customer_id")
      .notNull()
      .references(() => customers.id, { onDelete: "cascade" }),
  },
  (t) => [index("customer_emails_customer").on(t.customerId)],
);

/** Addresses whose orders changed since their customer was computed; written by a trigger on `orders`. */
export const customerChanges = pgTable("customer_changes", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  email: text().notNull(),
});

/** Its row tells whether customers were computed from live orders only; there is none until they are first computed. */
export const customerRefresh = pgTable(
  "customer_refresh",
  {
    id: integer().primaryKey().default(1),
    isLive: boolean("is_live").notNull(),
  },
  (t) => [check("customer_refresh_one", sql`${t.id} = 1`)],
);

/** The owner's notes about customers. */
export const customerNotes = pgTable(
  "customer_notes",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    customerId: integer("customer_id")
      .notNull()
      .references(() => customers.id, { onDelete: "cascade" }),
    at: timestamptz().notNull(),
    text: text().notNull(),
  },
  (t) => [
    check("customer_notes_length", sql`char_length(${t.text}) between 1 and 2000`),
    index("customer_notes_customer").on(t.customerId, t.id),
  ],
);

/** Customers merged into another one, with everything needed to undo it. */
export const customerMerges = pgTable(
  "customer_merges",
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    customerId: integer("customer_id")
      .notNull()
      .references(() => customers.id, { onDelete: "cascade" }),
    at: timestamptz().notNull(),
    /** Id of the merged customer; it redirects here, and is restored by an undo. */
    mergedId: integer("merged_id").notNull(),
    email: text().notNull(),
    name: text().notNull(),
    emails: text().array().notNull(),
    tags: text().array().notNull(),
    /** Tags that the customer got by the merge. */
    addedTags: text("added_tags").array().notNull(),
    noteIds: jsonb("note_ids").$type<number[]>().notNull(),
    imported: jsonb().$type<ImportedDetails>(),
    importedAt: timestamptz("imported_at"),
  },
  (t) => [
    index("customer_merges_customer").on(t.customerId, t.id),
    index("customer_merges_merged").on(t.mergedId),
  ],
);
