import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { Logger } from "pino";
import { PreparedClient } from "./prepared-client.ts";
import { drizzleOn } from "./transactions.ts";

export type Database = NodePgDatabase;
/** Either the pool or an open transaction: what commands and queries take. */
export type Db = Database | Parameters<Parameters<Database["transaction"]>[0]>[0];

/** Opens the pool. The caller ends it with `pool.end()`. */
export function openDatabase(url: string, log: Logger, max = 10): { pool: pg.Pool; db: Database } {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 5_000,
    Client: PreparedClient,
  });
  // An idle connection that breaks must not end the process; the next query opens a new one.
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection broke"));
  // Nor must one that breaks inside a transaction: its next query fails, which is enough.
  pool.on("connect", (client) =>
    client.on("error", (error) => log.warn({ err: error }, "a database connection broke")),
  );
  return { pool, db: drizzleOn(pool) };
}

/** Whether an error means that the database cannot be reached or is going away, rather than that a query is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.cause !== undefined && isDatabaseAway(error.cause)) return true;
  const code = "code" in error ? String(error.code) : "";
  return (
    /^(08...|57P0[123]|53300|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT)$/.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect|not currently accepting connections/.test(
      error.message,
    )
  );
}
