import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { DiscountKind } from "../../domain/discounts/discount.ts";
import { campaignRecipients, campaigns } from "../campaigns/tables.ts";
import { timestamptz } from "../platform/database/column-types.ts";

export const discounts = pgTable(
  "discounts",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    /** The code as the owner typed it; unique regardless of case. For an automatic discount, the name that shoppers see. */
    code: text().notNull(),
    /** Whether it applies without a code. */
    automatic: boolean().notNull().default(false),
    kind: text().$type<DiscountKind>().notNull(),
    /** Percent or cents; 0 for free shipping. */
    value: integer().notNull(),
    /** The products that it applies to; empty if it applies to all. */
    productIds: integer("product_ids").array().notNull().default([]),
    minimumSubtotalCents: integer("minimum_subtotal_cents").notNull().default(0),
    /** Minimum number of units of the products that it applies to. */
    minimumUnits: integer("minimum_units").notNull().default(0),
    /** Null if there is no limit. */
    startsAt: timestamptz("starts_at"),
    endsAt: timestamptz("ends_at"),
    limitTotal: integer("limit_total"),
    limitPerCustomer: integer("limit_per_customer"),
    /** Whether it applies only to buyers without an earlier order. */
    firstOrderOnly: boolean("first_order_only").notNull().default(false),
    active: boolean().notNull().default(true),
    /** Number of rows in `discount_uses`; written by a trigger on that table only. */
    used: integer().notNull().default(0),
    createdAt: timestamptz("created_at").notNull().defaultNow(),
    updatedAt: timestamptz("updated_at").notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("discounts_code").on(sql`upper(${t.code})`),
    check(
      "discounts_code_form",
      sql`case when ${t.automatic} then char_length(${t.code}) between 3 and 40 else ${t.code} ~ '^[A-Za-z0-9_-]{3,40}$' end`,
    ),
    check("discounts_kind", sql`${t.kind} in ('percent','amount','free_shipping')`),
    check(
      "discounts_value",
      sql`case ${t.kind} when 'percent' then ${t.value} between 1 and 100 when 'amount' then ${t.value} between 1 and 99999999 else ${t.value} = 0 end`,
    ),
    check("discounts_minimum", sql`${t.minimumSubtotalCents} between 0 and 99999999`),
    check("discounts_minimum_units", sql`${t.minimumUnits} between 0 and 1000`),
    check("discounts_dates", sql`${t.startsAt} < ${t.endsAt}`),
    check("discounts_limits", sql`${t.limitTotal} > 0 and ${t.limitPerCustomer} > 0`),
    check("discounts_used", sql`${t.used} >= 0`),
  ],
);

/** Uses of codes by orders, from placing the order until its cancellation. */
export const discountUses = pgTable(
  "discount_uses",
  {
    orderId: uuid("order_id").primaryKey(),
    discountId: bigint("discount_id", { mode: "number" })
      .notNull()
      .references(() => discounts.id),
    /** SHA-256 of the lower-case e-mail address, for `limitPerCustomer`. The order's id once the buyer is erased. */
    customerHash: text("customer_hash").notNull(),
    at: timestamptz().notNull(),
  },
  (t) => [index("discount_uses_customer").on(t.discountId, t.customerHash)],
);

/** Codes that each belong to one recipient of a newsletter, have the terms of the discount, and can be used by one order. */
export const personalCodes = pgTable(
  "personal_codes",
  {
    /** The code in capitals. */
    code: text().primaryKey(),
    discountId: bigint("discount_id", { mode: "number" })
      .notNull()
      .references(() => discounts.id),
    campaignId: bigint("campaign_id", { mode: "number" })
      .notNull()
      .references(() => campaigns.id),
    /** Null once the recipient is purged or erased. */
    recipientId: bigint("recipient_id", { mode: "number" }).references(() => campaignRecipients.id, {
      onDelete: "set null",
    }),
    /** The order that holds its use; null again when the use is released. */
    orderId: uuid("order_id").references(() => discountUses.orderId, { onDelete: "set null" }),
  },
  (t) => [
    check("personal_codes_form", sql`${t.code} ~ '^[A-Z0-9]{5}-[A-Z0-9]{5}$'`),
    index("personal_codes_discount").on(t.discountId),
    index("personal_codes_campaign").on(t.campaignId),
    uniqueIndex("personal_codes_recipient").on(t.recipientId),
    uniqueIndex("personal_codes_order").on(t.orderId),
  ],
);
