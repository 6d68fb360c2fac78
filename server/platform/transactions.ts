import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import type pg from "pg";

/**
 * Drizzle on a pool. Its own transactions keep their connection for ever when it breaks at `begin`, and hand one back as
 * good whose `rollback` failed: each takes one away from the shop until it is started again.
 */
export function drizzleOn(pool: pg.Pool): NodePgDatabase {
  const db = drizzle(pool);
  const transaction: typeof db.transaction = async (work, config) => {
    const client = await pool.connect();
    let isOver = false;
    try {
      const result = await drizzle(client).transaction(work, config);
      isOver = true;
      return result;
    } catch (error) {
      isOver = client.getTransactionStatus() === "I";
      throw error;
    } finally {
      client.release(!isOver);
    }
  };
  return Object.assign(db, { transaction });
}
