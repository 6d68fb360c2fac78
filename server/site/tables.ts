import { boolean, index, pgTable, text } from "drizzle-orm/pg-core";
import { timestamptz } from "../platform/database/column-types.ts";
import { bytea } from "../visitors/tables.ts";

/** Scripts, styles, fonts and pictures of all servers' builds, so that each server can serve pages of other builds. */
export const builtFiles = pgTable(
  "built_files",
  {
    /** Such as `assets/home-CB57mmbB.js`; its name changes with its content. */
    path: text().primaryKey(),
    content: bytea().notNull(),
    isBrotli: boolean("is_brotli").notNull(),
    /** When a server last reported the file as part of its build. */
    seenAt: timestamptz("seen_at").notNull().defaultNow(),
  },
  (t) => [index("built_files_seen").on(t.seenAt)],
);
