import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import type pg from "pg";

/**
 * Drizzle on a pool. Drizzle's own transactions never release a connection that breaks at `begin`, and return one
 * whose `rollback` failed: each would lose a connection for good.
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
