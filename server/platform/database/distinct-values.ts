import { type SQL, sql } from "drizzle-orm";
import type { Db } from "./database.ts";

/** The values of an index's first column, each found by a step through the index: few among very many rows. */
export async function distinctValues(db: Db, column: SQL, table: SQL, most: number): Promise<string[]> {
  const { rows } = await db.execute<{ value: string }>(sql`
    with recursive found as (
      (select ${column} as value from ${table} where ${column} is not null order by 1 limit 1)
      union all
      select (select ${column} from ${table} where ${column} > found.value order by 1 limit 1)
      from found where found.value is not null)
    select value from found where value is not null limit ${most}`);
  return rows.map(({ value }) => value);
}
