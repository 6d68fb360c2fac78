import { sql } from "drizzle-orm";
import { check, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { Import, ImportCounts, ImportKind } from "../../domain/imports/import.ts";
import { jsonb, timestamptz } from "../platform/database/column-types.ts";

/** Data that undoes one imported row, in the format of the import's kind: ids and former values. */
export type UndoRow = { line: number; label: string; step: unknown };

/** Imports of the last hour, with the data that undoes them. */
export const imports = pgTable(
  "imports",
  {
    /** Chosen by the caller. */
    id: uuid().primaryKey(),
    kind: text().$type<ImportKind>().notNull(),
    /** The key of its dry run. */
    key: text().notNull(),
    at: timestamptz().notNull(),
    counts: jsonb().$type<ImportCounts>().notNull(),
    /** Emptied by the undo. */
    undoRows: jsonb("undo_rows").$type<UndoRow[]>().notNull(),
    undone: jsonb().$type<NonNullable<Import["undone"]>>(),
  },
  (t) => [
    check("imports_kind", sql`${t.kind} in ('products','stock','discounts','customers','subscribers')`),
  ],
);
