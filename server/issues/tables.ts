import { sql } from "drizzle-orm";
import { bigint, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { orders } from "../orders/tables.ts";
import { timestamptz } from "../platform/database/column-types.ts";

/** Cases that only the owner can decide, one row per kind and subject, open until resolved. */
export const issues = pgTable(
  "issues",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text().notNull(),
    /** The id of the intent, refund or dispute concerned. */
    subject: text().notNull(),
    orderId: uuid("order_id").references(() => orders.id),
    message: text().notNull(),
    createdAt: timestamptz("created_at").notNull().defaultNow(),
    resolvedAt: timestamptz("resolved_at"),
    /** The owner's note on closing it, or the automatic reason. */
    resolution: text(),
  },
  (t) => [
    uniqueIndex("issues_once").on(t.kind, t.subject),
    index("issues_order").on(t.orderId),
    index("issues_open").on(t.orderId).where(sql`${t.resolvedAt} is null`),
  ],
);
