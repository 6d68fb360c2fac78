import { type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { addDays, startOfDay } from "../../domain/shared/zoned-days.ts";
import type { Db } from "../platform/database/database.ts";

/** Replaces the rows `within` by those of the query `fresh`, which has the columns `key` and `sums`; writes only rows that differ. */
export async function replaceSums(
  tx: Db,
  table: PgTable,
  { key, sums, within, fresh }: { key: readonly string[]; sums: readonly string[]; within: SQL; fresh: SQL },
): Promise<void> {
  const listed = (columns: readonly string[], alias = "") =>
    sql.raw(columns.map((column) => alias + column).join(", "));
  const assignments = sql.raw(sums.map((column) => `${column} = excluded.${column}`).join(", "));
  await tx.execute(sql`
    with fresh as materialized (${fresh}),
    gone as (
      delete from ${table} as q where ${within}
        and not exists (select 1 from fresh f where (${listed(key, "f.")}) = (${listed(key, "q.")})))
    insert into ${table} as q (${listed(key)}, ${listed(sums)})
    select ${listed(key)}, ${listed(sums)} from fresh
    on conflict (${listed(key)}) do update set ${assignments}
      where (${listed(sums, "q.")}) is distinct from (${listed(sums, "excluded.")})`);
}

/** The starts of the dates `from` to `to`, as an array for `width_bucket`. */
export function startsOfDays(timeZone: string, from: string, to: string): { starts: SQL; count: number } {
  const starts: string[] = [];
  for (let date = from; date <= to; date = addDays(date, 1))
    starts.push(startOfDay(timeZone, date).toISOString());
  return { starts: sql`${`{${starts.join(",")}}`}::timestamptz[]`, count: starts.length };
}
