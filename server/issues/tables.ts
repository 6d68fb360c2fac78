import { sql } from "drizzle-orm";
import { bigint, index, pgTable, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { orders } from "../orders/tables.ts";

/** What only the owner can decide, each issue once, open until it is resolved. */
export const issues = pgTable(
  "issues",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text().notNull(),
    /** What it is about: an intent, refund or dispute id. */
    subject: text().notNull(),
    orderId: uuid("order_id").references(() => orders.id),
    message: text().notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    resolvedAt: timestamp("resolved_at", { withTimezone: true }),
    /** What the owner wrote when closing it. */
    resolution: text(),
  },
  (t) => [
    uniqueIndex("issues_once").on(t.kind, t.subject),
    index("issues_order").on(t.orderId),
    index("issues_open").on(t.orderId).where(sql`${t.resolvedAt} is null`),
  ],
);
