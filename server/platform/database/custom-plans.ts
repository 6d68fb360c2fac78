import { sql } from "drizzle-orm";
import type { Database, Db } from "./database.ts";

/**
 * Runs reads with custom plans, planned for the given values. A generic plan suits lookups by id; a search term may be
 * in every row or in none.
 */
export function withCustomPlans<T>(db: Database, read: (tx: Db) => Promise<T>): Promise<T> {
  return db.transaction(
    async (tx) => {
      await tx.execute(sql`set local plan_cache_mode = force_custom_plan`);
      return read(tx);
    },
    { accessMode: "read only" },
  );
}
