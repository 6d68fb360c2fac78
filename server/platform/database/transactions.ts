import { AsyncLocalStorage } from "node:async_hooks";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { PreparedClient } from "./prepared-client.ts";

type Running = {
  client: pg.PoolClient;
  /** Callbacks to run after its end; null once they ran. */
  afterwards: (() => void)[] | null;
};
const running = new AsyncLocalStorage<Running>();

/** Runs `work` once the transaction that is running here has committed: at once where there is none. */
export function afterCommit(work: () => void): void {
  const afterwards = running.getStore()?.afterwards;
  if (afterwards) afterwards.push(work);
  else work();
}

/**
 * Runs the last statement of the transaction that is running here, and commits in the same message: rows that many
 * wait for are locked by it for as long as the server writes, not for as long as this process takes to answer. Nothing
 * can be decided by its result any more, so it has to fail where the transaction must not commit.
 */
export function runLast<T>(statement: () => Promise<T>): Promise<T> {
  const here = running.getStore();
  if (here?.afterwards && here.client instanceof PreparedClient) here.client.commitWithNext();
  return statement();
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
    const here: Running = { client, afterwards };
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
