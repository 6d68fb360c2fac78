import { getTableColumns } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

/** The columns of a table that rows can be inserted with, as SQL lists them: all but generated ones. */
export function writableColumns(table: PgTable, alias = ""): string {
  return Object.values(getTableColumns(table))
    .filter(({ generated }) => generated === undefined)
    .map(({ name }) => `${alias && `${alias}.`}"${name}"`)
    .join(", ");
}
