import { pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { jsonb } from "../platform/jsonb.ts";

/** What the owner set, one row per settings group (`shipping`, `tax`, ...); a group without a row has its default. */
export const settings = pgTable("settings", {
  key: text().primaryKey(),
  value: jsonb().notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
});
