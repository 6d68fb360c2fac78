import { type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Db } from "./database.ts";

/** Rows per statement: few, so that their locks are held only briefly. */
export const batchRows = 1_000;
/** Statements per run; the rest waits for the next run. */
const maxBatches = 1_000;

/** Runs `batch`, which returns the number of rows that it processed, until that is less than `batchRows`. */
export async function inBatches(batch: () => Promise<number>): Promise<void> {
  for (let count = 0; count < maxBatches; count += 1) {
    if ((await batch()) < batchRows) return;
  }
}

/**
 * Deletes the rows of `table` that match `where`, in batches; locked rows wait for the next run. `where` needs an
 * index that finds these rows and few others.
 */
export async function deleteInBatches(db: Db, table: PgTable, where: SQL | undefined): Promise<void> {
  await inBatches(async () => {
    const { rowCount } = await db.execute(sql`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where ${where} limit ${batchRows} for update skip locked))`);
    return rowCount ?? 0;
  });
}
