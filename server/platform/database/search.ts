import { type SQL, sql } from "drizzle-orm";
import type { Database, Db } from "./database.ts";

/** Text of at least this length is found anywhere by a trigram index; shorter text only at the start of a word. */
const innerTextLength = 3;

/** Escapes text for LIKE. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/** LIKE patterns for a search text, in lower case; `wordBreaks`: characters that may precede a word. */
export function patternsFor(searchText: string, wordBreaks: readonly string[] = [" "]): string[] {
  const escaped = escapeLike(searchText.toLowerCase());
  if ([...searchText].length >= innerTextLength) return [`%${escaped}%`];
  return [`${escaped}%`, ...wordBreaks.map((wordBreak) => `%${wordBreak}${escaped}%`)];
}

/**
 * Runs reads with plans made for their actual values: a generic plan suits lookups by id, but a search term may match every
 * row or none. All reads use the same snapshot.
 */
export function withCustomPlans<T>(db: Database, read: (tx: Db) => Promise<T>): Promise<T> {
  return db.transaction(
    async (tx) => {
      await tx.execute(sql`set local plan_cache_mode = force_custom_plan`);
      return read(tx);
    },
    { accessMode: "read only", isolationLevel: "repeatable read" },
  );
}

/** Distinct values of an index's first column. Takes one step through the index for each: fast for few values in many rows. */
export async function distinctValues(db: Db, column: SQL, table: SQL, max: number): Promise<string[]> {
  const { rows } = await db.execute<{ value: string }>(sql`
    with recursive found as (
      (select ${column} as value from ${table} where ${column} is not null order by 1 limit 1)
      union all
      select (select ${column} from ${table} where ${column} > found.value order by 1 limit 1)
      from found where found.value is not null)
    select value from found where value is not null limit ${max}`);
  return rows.map(({ value }) => value);
}
