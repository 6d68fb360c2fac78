import { sql } from "drizzle-orm";
import { check, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { bytea } from "../visitors/tables.ts";

/** The one access code, as an argon2id hash. */
export const adminAccess = pgTable(
  "admin_access",
  {
    id: integer().primaryKey().default(1),
    codeHash: text("code_hash").notNull(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [check("admin_access_single", sql`${t.id} = 1`)],
);

export const adminSessions = pgTable("admin_sessions", {
  tokenHash: bytea("token_hash").primaryKey(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
});
