import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
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

/** Wrong access codes of the last minute, by caller; in the database, where all servers see them. */
export const adminWrongTries = pgTable(
  "admin_wrong_tries",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    caller: text().notNull(),
    at: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [index("admin_wrong_tries_caller").on(t.caller, t.at)],
);
