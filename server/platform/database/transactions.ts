import { AsyncLocalStorage } from "node:async_hooks";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import type pg from "pg";

/** Callbacks to run after the commit; null once the transaction has ended. */
type TransactionState = { callbacks: (() => void)[] | null };
const running = new AsyncLocalStorage<TransactionState>();

/** Runs `work` after the current transaction has committed, or immediately if there is none. */
export function afterCommit(work: () => void): void {
  const callbacks = running.getStore()?.callbacks;
  if (callbacks) callbacks.push(work);
  else work();
}

/** Drizzle for each connection, reused because it caches the column names. */
const dbByClient = new WeakMap<pg.PoolClient, NodePgDatabase>();

/**
 * Drizzle on a pool. Drizzle's own transactions never release a connection that breaks at `begin`, and return one
 * whose `rollback` failed: each would lose a connection for good.
 */
export function drizzleOn(pool: pg.Pool): NodePgDatabase {
  const db = drizzle(pool);
  const transaction: typeof db.transaction = async (work, config) => {
    const client = await pool.connect();
    const callbacks: (() => void)[] = [];
    const state: TransactionState = { callbacks };
    const connectedDb = dbByClient.get(client) ?? drizzle(client);
    dbByClient.set(client, connectedDb);
    let hasEnded = false;
    try {
      const result = await running.run(state, () => connectedDb.transaction(work, config));
      hasEnded = true;
      for (const work of callbacks) work();
      return result;
    } catch (error) {
      hasEnded = client.getTransactionStatus() === "I";
      throw error;
    } finally {
      state.callbacks = null;
      client.release(!hasEnded);
    }
  };
  return Object.assign(db, { transaction });
}
