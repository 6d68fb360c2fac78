import { type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { addDays, startOfDay } from "../../domain/shared/zoned-days.ts";
import type { Db } from "../platform/database/database.ts";

/**
 * Replaces the rows that meet `within` with the rows of the query `fresh`, which has the columns `key` and `sums`. Writes only
 * rows that differ.
 */
export async function replaceSums(
  tx: Db,
  table: PgTable,
  { key, sums, within, fresh }: { key: readonly string[]; sums: readonly string[]; within: SQL; fresh: SQL },
): Promise<void> {
  const columnList = (columns: readonly string[], alias = "") =>
    sql.raw(columns.map((column) => alias + column).join(", "));
  const assignments = sql.raw(sums.map((column) => `${column} = excluded.${column}`).join(", "));
  await tx.execute(sql`
    with fresh as materialized (${fresh}),
    outdated as (
      delete from ${table} as q where ${within}
        and not exists (select 1 from fresh f where (${columnList(key, "f.")}) = (${columnList(key, "q.")})))
    insert into ${table} as q (${columnList(key)}, ${columnList(sums)})
    select ${columnList(key)}, ${columnList(sums)} from fresh
    on conflict (${columnList(key)}) do update set ${assignments}
      where (${columnList(sums, "q.")}) is distinct from (${columnList(sums, "excluded.")})`);
}

/** The starts of the days from `from` to `to`, as an array for `width_bucket`. */
export function dayStarts(timeZone: string, from: string, to: string): { starts: SQL; count: number } {
  const starts: string[] = [];
  for (let date = from; date <= to; date = addDays(date, 1))
    starts.push(startOfDay(timeZone, date).toISOString());
  return { starts: sql`${`{${starts.join(",")}}`}::timestamptz[]`, count: starts.length };
}
