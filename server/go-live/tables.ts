import { sql } from "drizzle-orm";
import { check, pgTable, text } from "drizzle-orm/pg-core";
import type { Statement } from "../../domain/go-live/go-live.ts";
import { timestamptz } from "../platform/database/column-types.ts";

/** Statements of the owner about facts that the shop cannot check. */
export const goLiveStatements = pgTable(
  "go_live_statements",
  {
    about: text().primaryKey().$type<Statement>(),
    statedAt: timestamptz("stated_at").notNull(),
  },
  (t) => [check("go_live_statements_about", sql`${t.about} in ('policies_read','offsite_backup')`)],
);
