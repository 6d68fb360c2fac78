import { sql } from "drizzle-orm";
import type { Database, Db } from "./database.ts";

/**
 * Reads with statements that are planned for the very values they are given. A plan kept for all values is right where
 * rows are found by id; what people search for is sometimes in every row and sometimes in none.
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
