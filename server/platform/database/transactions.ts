import { AsyncLocalStorage } from "node:async_hooks";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import type pg from "pg";

/** What waits for the end of a transaction; null once that is over. */
const running = new AsyncLocalStorage<{ afterwards: (() => void)[] | null }>();

/** Runs `work` once the transaction that is running here has committed: at once where there is none. */
export function afterCommit(work: () => void): void {
  const afterwards = running.getStore()?.afterwards;
  if (afterwards) afterwards.push(work);
  else work();
}

/**
 * Drizzle on a pool. Drizzle's own transactions never release a connection that breaks at `begin`, and return one
 * whose `rollback` failed: each would lose a connection for good.
 */
export function drizzleOn(pool: pg.Pool): NodePgDatabase {
  const db = drizzle(pool);
  const transaction: typeof db.transaction = async (work, config) => {
    const client = await pool.connect();
    const afterwards: (() => void)[] = [];
    const here: { afterwards: (() => void)[] | null } = { afterwards };
    let isOver = false;
    try {
      const result = await running.run(here, () => drizzle(client).transaction(work, config));
      isOver = true;
      for (const work of afterwards) work();
      return result;
    } catch (error) {
      isOver = client.getTransactionStatus() === "I";
      throw error;
    } finally {
      here.afterwards = null;
      client.release(!isOver);
    }
  };
  return Object.assign(db, { transaction });
}
