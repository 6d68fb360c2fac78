import { AsyncLocalStorage } from "node:async_hooks";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { PreparedClient } from "./prepared-client.ts";

type Running = {
  client: pg.PoolClient;
  /** Callbacks to run after the transaction; null once they have run. */
  afterwards: (() => void)[] | null;
};
const running = new AsyncLocalStorage<Running>();

/** Runs `work` after the current transaction has committed, or at once if there is none. */
export function afterCommit(work: () => void): void {
  const afterwards = running.getStore()?.afterwards;
  if (afterwards) afterwards.push(work);
  else work();
}

/**
 * Runs the last statement of the current transaction and sends the commit in the same message, so that contended rows stay
 * locked only while the server works, and not until this process reacts. The transaction commits whatever the statement
 * returns, so the statement must fail if it must not commit.
 */
export function runLast<T>(statement: () => Promise<T>): Promise<T> {
  const here = running.getStore();
  if (here?.afterwards && here.client instanceof PreparedClient) here.client.commitWithNext();
  return statement();
}

/** Drizzle on a connection: it keeps the names of the columns that it has looked up. */
const onClient = new WeakMap<pg.PoolClient, NodePgDatabase>();

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
    const onThis = onClient.get(client) ?? drizzle(client);
    onClient.set(client, onThis);
    let hasEnded = false;
    try {
      const result = await running.run(here, () => onThis.transaction(work, config));
      hasEnded = true;
      for (const work of afterwards) work();
      return result;
    } catch (error) {
      hasEnded = client.getTransactionStatus() === "I";
      throw error;
    } finally {
      here.afterwards = null;
      client.release(!hasEnded);
    }
  };
  return Object.assign(db, { transaction });
}
