import { createHash, randomBytes } from "node:crypto";
import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { beginSpan } from "../process/tracing.ts";

/** Time limits (ms) of statements, and of pauses inside a transaction; 0 means no limit. */
type StatementLimits = { statementMs: number; lockMs: number; idleInTransactionMs: number };

/** Maximum number of prepared statements. The shop has a few hundred; any more run unnamed. */
const maxNames = 500;
const namesByText = new Map<string, string>();
/**
 * Maximum number of named variants of a statement with lists of different lengths. Otherwise such lists would use up the names,
 * and statements that run for every order would get none.
 */
const maxVariants = 4;
const variantsByShape = new Map<string, number>();
/** TCP keepalive interval of idle connections (ms). */
const keepAliveMs = 10_000;
/** How long a closing connection may take (ms). */
const closeTimeoutMs = 1_000;
/** Time (ms) allowed to read a response that arrived while this process was suspended. */
const unreadMs = 50;
/** SQL state: read-only transaction. */
export const readOnlyState = "25006";
/** Select list that identifies the server, and whether it accepts writes. */
export const whichServer = `pg_postmaster_start_time()::text as server,
  pg_is_in_recovery() or current_setting('transaction_read_only')::bool as read_only`;

/**
 * SQL states for a statement name that is unknown or already exists, as happens behind a pooler that forwards names unchanged.
 */
const nameStates = ["26000", "42P05"];
/** Connections of this process whose server is identified. */
const openClients = new Set<PreparedClient>();
/** Whether statement names were lost on a connection that seemed direct; then no connection is trusted to be direct. */
let wereNamesLost = false;
const beginPattern = /^\s*(begin|start\s+transaction)\b/i;
/** Errors of connections, as opposed to those reported by a server. */
const connectionErrors = new WeakSet<Error>();

/** Whether the connection could not be opened, or broke. Errors reported by a server do not count. */
export function isConnectionError(error: Error): boolean {
  return connectionErrors.has(error);
}

export type WatchedClient = {
  /** A statement without a response for this long (ms) is abandoned, and its connection with it. */
  silenceMs: number;
  /** Whether the server is still executing the statement of a silent connection; if so, the client keeps waiting. */
  isExecuting?: ((pid: number) => Promise<boolean>) | undefined;
  /** Called with the SQL state of each error. */
  onServerError?: ((state: string) => void) | undefined;
  /** Called when the connection cannot be opened, or breaks. */
  onConnectionError?: (() => void) | undefined;
  /** Limits set in each transaction behind a pooler, which keeps no settings of the session. */
  limits?: StatementLimits | undefined;
};

/** Server side: the locks and connection of a vanished client are released after 30 s. */
export const serverKeepAlive = {
  // No connection of the shop stays idle this long: pools close theirs earlier, and the others are probed.
  idle_session_timeout: 30_000,
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 4,
  tcp_user_timeout: 30_000,
};

/**
 * A connection that prepares each statement with parameters only once, under a name, since parsing and planning are most of
 * the cost of a short statement. Behind a pooler it does so only if the pooler supports names. With `silenceMs`, a
 * connection whose peer vanished (a firewall, a pulled cable) breaks after that time with all waiting statements, instead
 * of hanging for minutes.
 */
export class PreparedClient extends pg.Client {
  /** Id of the server process that ran the last statement; 0 until known. */
  serverPid = 0;
  /**
   * The server rejects writes on this connection: close it instead of reusing it, since a new one may reach a writable server.
   */
  isReadOnly = false;
  /** Start time of the server, which distinguishes it from others at the same address; empty until read. */
  #server = "";
  #isPooled = false;
  #areNamesSupported = true;
  readonly #limits: StatementLimits;

  constructor(config: pg.ClientConfig & Partial<WatchedClient> = {}) {
    super({ keepAlive: true, keepAliveInitialDelayMillis: keepAliveMs, ...config });
    const { silenceMs, isExecuting, onServerError, onConnectionError, limits } = config;
    this.#limits = limits ?? { statementMs: 0, lockMs: 0, idleInTransactionMs: 0 };
    // Runs before the library's own listeners, which pass the error on.
    this.#internals.connection.on("error", (error: Error) => {
      connectionErrors.add(error);
      onConnectionError?.();
    });
    this.#internals.connection.on("errorMessage", ({ code = "" }) => {
      if (code === readOnlyState) this.isReadOnly = true;
      if (nameStates.includes(code)) wereNamesLost = true;
      onServerError?.(code);
    });
    if (silenceMs) this.once("connect", () => this.#closeAfterSilence({ silenceMs, isExecuting }));
  }

  /** Id of the process as reported at the connection's start, by the server or by a pooler in front of it. */
  get initialPid(): number {
    return this.#internals.processID;
  }

  /** Reads which server this connection leads to, and whether it accepts writes. */
  async identifyServer(): Promise<void> {
    const { rows } = await this.query(`select ${whichServer}`);
    this.setServer(rows[0]);
  }

  /**
   * Processes the response to `whichServer`. If another server responded than before, all other connections of this process to the
   * address are closed: after a failover the former primary may hang, or still serve reads with outdated data.
   */
  setServer(row: { server: string; read_only: boolean }): void {
    this.#server = row.server;
    this.isReadOnly = row.read_only;
    if (this.isReadOnly) return;
    for (const other of openClients) {
      const hasSameAddress =
        other.host === this.host && other.port === this.port && other.database === this.database;
      if (hasSameAddress && other.#server !== this.#server) other.#abandon("another server has taken over");
    }
    openClients.add(this);
    this.once("end", () => openClients.delete(this));
  }

  /** Switches to pooler mode; called when the process that runs statements is not the one reported at connection start. */
  async enablePoolerMode(): Promise<void> {
    this.#isPooled = true;
    this.#areNamesSupported = false;
    this.#areNamesSupported = await this.#supportsNames();
  }

  // biome-ignore lint/suspicious/noExplicitAny: `query` is overloaded six ways, all of which are passed on
  override query(config: any, values?: any, callback?: any): any {
    const queryConfig = typeof config === "string" ? { text: config } : config;
    if (typeof queryConfig?.text !== "string") return super.query(config, values, callback);
    const endSpan = beginSpan("statement", {
      "db.system.name": "postgresql",
      "db.query.text": queryConfig.text,
    });
    if (!endSpan) return this.#run(queryConfig, values, callback);
    const whenDone = typeof values === "function" ? values : callback;
    if (whenDone) {
      const parameters = typeof values === "function" ? undefined : values;
      return this.#run(queryConfig, parameters, (error: unknown, result: unknown) => {
        endSpan(error);
        whenDone(error, result);
      });
    }
    const result = this.#run(queryConfig, values);
    result.then(() => endSpan(null), endSpan);
    return result;
  }

  // biome-ignore lint/suspicious/noExplicitAny: as `query`
  #run(queryConfig: any, values?: any, callback?: any): any {
    const parameters: unknown[] = (Array.isArray(values) ? values : queryConfig.values) ?? [];
    const areNamesSupported = this.#areNamesSupported && !wereNamesLost;
    const name =
      areNamesSupported && parameters.length > 0
        ? (queryConfig.name ?? statementName(queryConfig.text))
        : undefined;
    const namedQuery = name === undefined ? queryConfig : { ...queryConfig, name };
    const isPooled = this.#isPooled || wereNamesLost;
    if (!isPooled || this.#limits.statementMs === 0 || this.getTransactionStatus() !== "I")
      return super.query(namedQuery, values, callback);
    const result = beginPattern.test(namedQuery.text)
      ? this.#begin(namedQuery.text)
      : this.#runAlone(namedQuery, parameters);
    const doneCallback = typeof values === "function" ? values : callback;
    if (!doneCallback) return result;
    result.then((done) => doneCallback(null, done), doneCallback);
    return undefined;
  }

  /** Begins a transaction and sets its limits: behind a pooler, the next one may run in another process of the server. */
  async #begin(begin: string): Promise<pg.QueryResult> {
    const { statementMs, lockMs, idleInTransactionMs } = this.#limits;
    const results: unknown = await super.query(`${begin}; set local statement_timeout = ${statementMs};
      set local lock_timeout = ${lockMs}; set local idle_in_transaction_session_timeout = ${idleInTransactionMs};
      select pg_backend_pid() as pid`);
    const [beginResult, ...otherResults] = results as [pg.QueryResult, ...pg.QueryResult[]];
    this.serverPid = otherResults.at(-1)?.rows[0].pid;
    return beginResult;
  }

  async #runAlone(config: pg.QueryConfig, values: unknown[]): Promise<pg.QueryResult> {
    try {
      await this.#begin("begin");
      const result = await super.query(config, values);
      await super.query("commit");
      return result;
    } catch (error) {
      await super.query("rollback").catch(() => null);
      throw error;
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: returns nothing with a callback, a promise without one
  override end(callback?: any): any {
    const { stream } = this.#internals.connection;
    const closeTimer = setTimeout(() => stream.destroy(), closeTimeoutMs);
    closeTimer.unref();
    this.once("end", () => clearTimeout(closeTimer));
    return super.end(callback);
  }

  /** Breaks the connection and all statements waiting on it. */
  #abandon(reason: string): void {
    this.#internals.connection.stream.destroy(new Error(`Connection terminated: ${reason}`));
  }

  #closeAfterSilence({ silenceMs, isExecuting }: WatchedClient): void {
    const { stream } = this.#internals.connection;
    const isWaiting = () => !this.#internals.readyForQuery;
    stream.on("timeout", async () => {
      const bytesReadBefore = stream.bytesRead;
      if (!isWaiting()) return;
      await delay(unreadMs);
      if (!isWaiting() || stream.bytesRead !== bytesReadBefore) return;
      if (await isExecuting?.(this.serverPid)) stream.setTimeout(silenceMs);
      else if (isWaiting() && stream.bytesRead === bytesReadBefore) {
        this.#abandon(`no answer for ${silenceMs} ms`);
      }
    });
    stream.setTimeout(silenceMs);
  }

  /**
   * Whether statement names can be used behind this pooler: a pooler that supports them uses its own names at the server.
   * Checked in a transaction, so that a single server process responds.
   */
  async #supportsNames(): Promise<boolean> {
    const name = `palmira_${randomBytes(8).toString("hex")}`;
    await super.query("begin");
    await super.query({ name, text: "select $1::int", values: [1] });
    const { rowCount } = await super.query("select from pg_prepared_statements where name = $1", [name]);
    const areSupported = rowCount === 0;
    await super.query(areSupported ? "commit" : `deallocate ${name}; commit`);
    return areSupported;
  }

  /** Private state of the library. */
  get #internals(): {
    connection: EventEmitter & { stream: Socket };
    readyForQuery: boolean;
    processID: number;
  } {
    // biome-ignore lint/suspicious/noExplicitAny: not in its types
    return this as any;
  }
}

function statementName(text: string): string | undefined {
  const existingName = namesByText.get(text);
  if (existingName !== undefined || namesByText.size >= maxNames) return existingName;
  const shape = text
    .replace(/\$\d+|\bdefault\b/g, "$")
    .replace(/\$(?:,\s*\$)+/g, "$")
    .replace(/\(\$\)(?:,\s*\(\$\))+/g, "($)");
  const variants = variantsByShape.get(shape) ?? 0;
  if (variants >= maxVariants) return undefined;
  variantsByShape.set(shape, variants + 1);
  const name = createHash("sha256").update(text).digest("hex").slice(0, 32);
  namesByText.set(text, name);
  return name;
}
