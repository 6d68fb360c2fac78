import { type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Db } from "./database.ts";

/** Rows of one statement: few enough that nobody has to wait for its locks. */
export const batchRows = 1_000;
/** Statements of one run; the rest waits for the next one. */
const batchesMax = 1_000;

/** Runs `batch` until it has less to do than fits in one; it answers how many rows it took on. */
export async function inBatches(batch: () => Promise<number>): Promise<void> {
  for (let count = 0; count < batchesMax; count += 1) {
    if ((await batch()) < batchRows) return;
  }
}

/**
 * Deletes the rows of `table` that `where` is true of, a batch at a time; what somebody else holds waits for the next run.
 * `where` needs an index that finds these rows and few others.
 */
export async function deleteInBatches(db: Db, table: PgTable, where: SQL | undefined): Promise<void> {
  await inBatches(async () => {
    const { rowCount } = await db.execute(sql`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where ${where} limit ${batchRows} for update skip locked))`);
    return rowCount ?? 0;
  });
}
