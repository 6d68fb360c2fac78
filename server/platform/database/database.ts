import { setTimeout as delay } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { Logger } from "pino";
import { CallPool } from "./call-pool.ts";
import { type DatabaseLimits, defaultDatabaseLimits, queueConnections } from "./database-limits.ts";
import {
  isConnectionError,
  PreparedClient,
  readOnlyState,
  serverKeepAlive,
  type WatchedClient,
  whichServer,
} from "./prepared-client.ts";
import { drizzleOn } from "./transactions.ts";

export type Database = NodePgDatabase;
/** The pool or an open transaction, as passed to commands and queries. */
export type Db = Database | Parameters<Parameters<Database["transaction"]>[0]>[0];

const connectionMs = 4_000;
/** Longest pause between two statements of a transaction, in which the program only computes. */
const idleInTransactionMs = 10_000;
/** Extra time for the database to report its own timeout. */
const graceMs = 2_000;
/** Time after which another connection checks whether the server still executes a long statement. */
const silenceMs = 12_000;
/** How long (ms) the disk counts as full after a statement has failed because of it. */
const fullMs = 5_000;
/** SQL state: the disk is full. */
export const fullState = "53100";
/** Limit for a check on a separate connection. */
const checkMs = 650;
const readOnly = "takes no writes";
const noResponse = "does not answer";

export type OpenDatabase = {
  /** Background work's own connections. */
  pool: pg.Pool;
  /** The connections of the running call, or else of background work. */
  calls: pg.Pool;
  /** Queries run on the pool of the running call (see running-call.ts), or else on that of background work. */
  db: Database;
  /** Why the database may refuse writes, according to the latest statements and connections; null if it accepts them. */
  recentProblem(): string | null;
  /** Checks on a new connection, in less than a second, why the database refuses writes; null if it accepts them. */
  recheck(): Promise<string | null>;
  /**
   * Reads in one snapshot on a separate connection, so that neither calls nor jobs wait for it. Throws after `limitMs`.
   * Statements without parameters only.
   */
  readSeparately<T>(limitMs: number, read: (tx: Db) => Promise<T>): Promise<T>;
  connections(): Record<"http" | "jobs", { open: number; idle: number; waiting: number }>;
  end(): Promise<void>;
};

/** Opens the connections of a server. `directUrl`: if `url` is a pooler's, the URL of the database itself. */
export function openDatabase(
  url: string,
  log: Logger,
  limits: DatabaseLimits = defaultDatabaseLimits,
  directUrl = url,
): OpenDatabase {
  const status = { isReadOnly: false, isConnectionLost: false, fullUntil: 0 };
  const onConnectionError = () => {
    status.isConnectionLost = true;
  };
  const watchers = {
    onConnectionError,
    onConnect(client: PreparedClient) {
      status.isReadOnly = client.isReadOnly;
      status.isConnectionLost = false;
    },
    onServerError(state: string) {
      if (state === readOnlyState) status.isReadOnly = true;
      if (state === fullState) status.fullUntil = performance.now() + fullMs;
    },
  };
  const lockMs = limits.lockSeconds * 1_000;
  const statementMs = limits.statementSeconds * 1_000;
  const pool = new pg.Pool(
    poolConfig({
      url,
      name: "palmira-jobs",
      max: limits.jobConnections - queueConnections,
      statementMs: limits.jobStatementSeconds * 1_000,
      lockMs,
      silenceMs,
      isExecuting: (pid) => isExecuting(directUrl, pid),
      ...watchers,
    }),
  );
  const calls = new CallPool(
    poolConfig({
      url,
      name: "palmira-http",
      max: limits.httpConnections,
      statementMs,
      lockMs,
      silenceMs: statementMs + graceMs,
      ...watchers,
    }),
    // Calls that wait for a connection are refused no later than calls that hold one and wait for a locked row.
    { background: pool, waitMs: Math.min((limits.connectionSeconds ?? 4) * 1_000, 0.8 * lockMs) },
  );
  for (const watchedPool of [pool, calls]) watch(watchedPool, log, onConnectionError);
  const recentProblem = () => {
    if (status.isConnectionLost) return noResponse;
    if (performance.now() < status.fullUntil) return "its disk is full";
    return status.isReadOnly ? readOnly : null;
  };
  return {
    pool,
    calls,
    db: drizzleOn(calls),
    recentProblem,
    async recheck() {
      const response = askOnce(url, checkMs, async (client) => {
        await client.identifyServer();
        return client.isReadOnly;
      }).catch(() => null);
      const isReadOnly = await Promise.race([response, delay(checkMs, null, { ref: false })]);
      if (isReadOnly === null) return noResponse;
      status.isReadOnly = isReadOnly;
      status.isConnectionLost = false;
      return recentProblem();
    },
    readSeparately: (limitMs, read) => readSeparately(directUrl, limitMs, read),
    connections: () => ({
      http: { open: calls.totalCount, idle: calls.idleCount, waiting: calls.waitingCalls },
      jobs: { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount },
    }),
    async end() {
      await Promise.all([calls.end(), pool.end()]);
    },
  };
}

/**
 * Connections separate from those of calls and jobs. Without `limits`, statements may take any time, as commands and
 * migrations need. The caller closes the pool.
 */
export function openPool(
  url: string,
  log: Logger,
  options: {
    name: string;
    max: number;
    limits?: Pick<DatabaseLimits, "jobStatementSeconds" | "lockSeconds">;
    /** A statement without a response for this long (ms) fails, even if the server works on it; default: no limit. */
    responseTimeoutMs?: number;
  },
): pg.Pool {
  const { name, max, limits, responseTimeoutMs = 0 } = options;
  const pool = new pg.Pool(
    poolConfig({
      url,
      name,
      max,
      statementMs: (limits?.jobStatementSeconds ?? 0) * 1_000,
      lockMs: (limits?.lockSeconds ?? 0) * 1_000,
      silenceMs,
      isExecuting: (pid) => isExecuting(url, pid),
      query_timeout: responseTimeoutMs,
    }),
  );
  watch(pool, log);
  return pool;
}

type PoolOptions = WatchedClient & {
  url: string;
  name: string;
  max: number;
  /** 0 means no limit. */
  statementMs: number;
  lockMs: number;
  /** The library's own limit (ms). */
  query_timeout?: number;
  onConnect?(client: PreparedClient): void;
};

function poolConfig({ url, name, statementMs, lockMs, onConnect, ...rest }: PoolOptions) {
  const idleMs = statementMs > 0 ? idleInTransactionMs : 0;
  const settings = {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleMs,
    ...serverKeepAlive,
    // A migration may use other connections for long, so an idle one is not dead.
    ...(statementMs === 0 && { idle_session_timeout: 0 }),
  };
  const setConfigCalls = Object.entries(settings)
    .map(([setting, value]) => `set_config('${setting}', '${value}', false)`)
    .join(", ");
  return {
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: connectionMs,
    Client: PreparedClient,
    limits: { statementMs, lockMs, idleInTransactionMs: idleMs },
    async onConnect(client: pg.ClientBase) {
      if (!(client instanceof PreparedClient)) return;
      // Set after connecting, because a pooler may not support such startup parameters; and only without a pooler, because it
      // would pass the settings on to the next client.
      const { rows } = await client.query(`select pg_backend_pid() as pid, ${whichServer},
        case when pg_backend_pid() = ${client.initialPid} then array[${setConfigCalls}] end`);
      client.serverPid = rows[0].pid;
      client.setServer(rows[0]);
      if (client.serverPid !== client.initialPid) await client.enablePoolerMode();
      onConnect?.(client);
    },
    ...rest,
  };
}

function watch(pool: pg.Pool, log: Logger, onLoss?: () => void): void {
  // A broken idle connection must not end the process; the next query opens a new one.
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection broke"));
  // A connection that breaks inside a transaction must not end it either: its next query fails anyway.
  pool.on("connect", (client) =>
    client.on("error", (error) => {
      onLoss?.();
      log.warn({ err: error }, "a database connection broke");
    }),
  );
  // Closed instead of reused: a new connection may reach a server that accepts writes.
  pool.on("release", (_, client) => {
    if (client instanceof PreparedClient && client.isReadOnly) void client.end();
  });
}

/**
 * Whether the database's process `pid` is still executing a statement. True also if the database rejects the question, and
 * false if it cannot be reached.
 */
async function isExecuting(url: string, pid: number): Promise<boolean> {
  try {
    const statement = "select state = 'active' as executing from pg_stat_activity where pid = $1";
    return await askOnce(url, connectionMs, async (client) => {
      const { rows } = await client.query(statement, [pid]);
      return rows[0]?.executing === true;
    });
  } catch (error) {
    return error instanceof pg.DatabaseError;
  }
}

async function readSeparately<T>(url: string, limitMs: number, read: (tx: Db) => Promise<T>): Promise<T> {
  const tooLong = Promise.withResolvers<never>();
  const timer = setTimeout(() => tooLong.reject(new Error("timeout expired")), limitMs).unref();
  const readAll = (client: PreparedClient) =>
    drizzle(client).transaction(
      async (tx) => {
        await tx.execute(sql.raw(`set local statement_timeout = ${limitMs}`));
        return read(tx);
      },
      { isolationLevel: "repeatable read", accessMode: "read only" },
    );
  try {
    return await Promise.race([askOnce(url, limitMs, readAll, "palmira-metrics"), tooLong.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs queries on a new connection, without queueing; throws if it or a statement has no response for `limitMs`. */
export async function askOnce<T>(
  url: string,
  limitMs: number,
  ask: (client: PreparedClient) => Promise<T>,
  name = "palmira-check",
): Promise<T> {
  const client = await connectSeparately(url, limitMs, name);
  try {
    return await ask(client);
  } finally {
    client.end().catch(() => {});
  }
}

/** A connection of no pool, which breaks when a statement has no response for `limitMs`. The caller closes it. */
export async function connectSeparately(
  connectionString: string,
  limitMs: number,
  name: string,
): Promise<PreparedClient> {
  const client = new PreparedClient({
    connectionString,
    application_name: name,
    connectionTimeoutMillis: limitMs,
    silenceMs: limitMs,
  });
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    client.end().catch(() => {});
    throw error;
  }
  return client;
}

/**
 * Classes and codes of SQL state: connection exception (08), insufficient resources (53, a full disk), system error (58). 26000
 * and 42P05 concern prepared statements that a pooler has lost; the next attempt does not use them.
 */
const unavailableStates =
  /^(08...|53...|58...|57P0[1-5]|57014|55P03|40001|40P01|25006|25P03|25P04|28000|28P01|26000|42P05)$/;
/** The library's messages for a connection that could not be opened or is lost. */
const unavailableMessages =
  /Connection terminated|timeout exceeded when trying to connect|not currently accepting connections|connection error and is not queryable|Client was closed and is not queryable|timeout expired/;

/**
 * Whether an error means that the database cannot be used right now (unreachable, shutting down, read-only, full, a
 * locked row), rather than that the query is wrong: it may succeed later.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.cause !== undefined && isDatabaseUnavailable(error.cause)) return true;
  return (
    isConnectionError(error) ||
    unavailableStates.test(errorCode(error)) ||
    unavailableMessages.test(error.message)
  );
}

/** Whether an error comes from the database: it is unavailable, or refused a statement. */
export function isDatabaseError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error instanceof pg.DatabaseError || isDatabaseUnavailable(error) || isDatabaseError(error.cause);
}

/** Whether a lock was not available, while the database itself is fine. */
export function isLockTimeout(error: unknown): boolean {
  return hasState(error, "55P03");
}

/** Whether an error or its cause has this SQL state and, if `table` is set, concerns that table. */
export function hasState(error: unknown, state: string, table?: string): boolean {
  if (!(error instanceof Error)) return false;
  if (errorCode(error) !== state) return hasState(error.cause, state, table);
  return table === undefined || ("table" in error && error.table === table);
}

function errorCode(error: Error): string {
  return "code" in error ? String(error.code) : "";
}
