import { getTableColumns } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

/** The column list for inserting rows into a table in SQL: all but generated columns. */
export function writableColumns(table: PgTable, alias = ""): string {
  return Object.values(getTableColumns(table))
    .filter(({ generated }) => generated === undefined)
    .map(({ name }) => `${alias && `${alias}.`}"${name}"`)
    .join(", ");
}
