import { createHash, randomBytes } from "node:crypto";
import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { beginSpan } from "../process/tracing.ts";
import { limitsStatement, PooledQuery, type StatementLimits } from "./pooled-query.ts";

/** Maximum number of prepared statements. The shop has a few hundred; any more run unnamed. */
const namesMax = 500;
const names = new Map<string, string>();
/** TCP keepalive interval of idle connections (ms). */
const keepAliveMs = 10_000;
/** How long a closing connection may take (ms). */
const closeTimeoutMs = 1_000;
/**
 * If this process itself was suspended, an answer may have arrived that it has not read yet; it gets this time (ms) to do
 * so.
 */
const unreadMs = 50;
/** SQL state: read-only transaction. */
export const readOnlyState = "25006";
/** Select list that identifies the answering server, and whether it accepts writes. */
export const whichServer = `pg_postmaster_start_time()::text as server,
  pg_is_in_recovery() or current_setting('transaction_read_only')::bool as read_only`;

/** SQL states for a statement name that is unknown or already exists, as happens behind a pooler that passes names on. */
const nameStates = ["26000", "42P05"];
/**
 * Time (ms) after which the shop checks again whether the pooler supports statement names: it may be upgraded or
 * reconfigured.
 */
const namesKnownMs = 60_000;
const poolerNames = new Map<string, { until: number; areKept: boolean }>();
/** Connections of this process that know their server. */
const openClients = new Set<PreparedClient>();
/** Statement names were lost on a connection that seemed direct; from then on no connection is trusted to be direct. */
let isNameLost = false;
const limitsName = "palmira_limits";
/** Errors of connections, as opposed to those reported by a server. */
const connectionErrors = new WeakSet<Error>();

/** Whether the connection could not be opened, or broke. Errors reported by a server do not count. */
export function isConnectionError(error: Error): boolean {
  return connectionErrors.has(error);
}

export type WatchedClient = {
  /** A statement without an answer for this long (ms) is abandoned, and its connection with it. */
  silenceMs: number;
  /** Whether the server still works on the statement of a silent connection; if so, the statement is waited for. */
  isAtWork?: ((pid: number) => Promise<boolean>) | undefined;
  /** Called with the SQL state of each error. */
  onRefusal?: ((state: string) => void) | undefined;
  /** Limits sent with each statement, because a pooler does not keep session settings. */
  limits?: StatementLimits | undefined;
};

/** Server side: the locks and connection of a vanished client are released after 30 s. */
export const serverKeepAlive = {
  // Longer than any of the shop's connections is idle: pools close theirs earlier, the others are probed.
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
  /** Id of the server process that ran its last statement; 0 until known. */
  serverPid = 0;
  /** The server is read-only on this connection: it must not be reused, since the next one may not be. */
  isReadOnly = false;
  /** Start time of its server, which distinguishes it from others at the same address; empty until read. */
  #server = "";
  /** Whether the next statement is the last of its transaction, and the commit sent along with it. */
  #isNextLast = false;
  #commit: Promise<unknown> | null = null;
  #isPooled = false;
  #areNamesKept = true;
  readonly #limits: StatementLimits;
  readonly #onPid: ((pid: number) => void) | null;

  constructor(config: pg.ClientConfig & Partial<WatchedClient> = {}) {
    super({ keepAlive: true, keepAliveInitialDelayMillis: keepAliveMs, ...config });
    const { silenceMs, isAtWork, onRefusal, limits } = config;
    this.#limits = limits ?? { statementMs: 0, lockMs: 0, idleInTransactionMs: 0 };
    this.#onPid = isAtWork
      ? (pid) => {
          this.serverPid = pid;
        }
      : null;
    // Runs before the library's own listeners, which pass the error on.
    this.#inside.connection.on("error", (error: Error) => connectionErrors.add(error));
    this.#inside.connection.on("errorMessage", ({ code = "" }) => {
      if (code === readOnlyState) this.isReadOnly = true;
      if (nameStates.includes(code)) isNameLost = true;
      onRefusal?.(code);
    });
    if (silenceMs) this.once("connect", () => this.#breakSilence({ silenceMs, isAtWork }));
  }

  /** Id of the process as reported at the connection's start, by the server or by a pooler in front of it. */
  get greetedPid(): number {
    return this.#inside.processID;
  }

  /** Reads which server it is connected to, and whether that accepts writes. */
  async identifyServer(): Promise<void> {
    const { rows } = await this.query(`select ${whichServer}`);
    this.meet(rows[0]);
  }

  /**
   * Processes the answer to `whichServer`. If another server answered than before, all other connections of this process to the
   * address are closed: after a failover the former primary may hang, or still answer reads with outdated data.
   */
  meet(answer: { server: string; read_only: boolean }): void {
    this.#server = answer.server;
    this.isReadOnly = answer.read_only;
    if (this.isReadOnly) return;
    for (const other of openClients) {
      const isThere =
        other.host === this.host && other.port === this.port && other.database === this.database;
      if (isThere && other.#server !== this.#server) other.#abandon("another server has taken over");
    }
    openClients.add(this);
    this.once("end", () => openClients.delete(this));
  }

  /** The process that runs statements differs from the one reported at the start, so there is a pooler in between. */
  async goThroughPooler(pooler: string): Promise<void> {
    this.#isPooled = true;
    this.#areNamesKept = false;
    const areNamesKept = await this.#keepsNames(pooler);
    if (areNamesKept) await super.query({ name: limitsName, text: limitsStatement(this.#limits) });
    this.#areNamesKept = areNamesKept;
  }

  /**
   * Sends a commit right after the next statement without waiting for its answer, so that the server holds its row locks as
   * briefly as possible. If the statement fails, the server rolls back instead. The caller's next commit or rollback receives
   * the answer. Behind a pooler the commit waits for its turn.
   */
  commitWithNext(): void {
    this.#isNextLast = !this.#isPooled && !isNameLost;
  }

  // biome-ignore lint/suspicious/noExplicitAny: `query` is overloaded six ways, all of which are passed on
  override query(config: any, values?: any, callback?: any): any {
    if (this.#commit !== null) {
      const commit = this.#commit;
      this.#commit = null;
      if (!/^(commit|rollback)$/.test(config?.text ?? config)) throw new Error("its transaction is over");
      return commit;
    }
    if (this.#isNextLast) {
      this.#isNextLast = false;
      this.#inside.pipeline = true;
      const answer = this.query(config, values, callback);
      this.#commit = super.query("commit").finally(() => {
        this.#inside.pipeline = false;
      });
      // The caller's own commit rejects with this error.
      this.#commit.catch(() => null);
      return answer;
    }
    const queryConfig = typeof config === "string" ? { text: config } : config;
    if (typeof queryConfig?.text !== "string") return super.query(config, values, callback);
    const end = beginSpan("statement", { "db.system.name": "postgresql", "db.query.text": queryConfig.text });
    if (!end) return this.#run(queryConfig, values, callback);
    const whenDone = typeof values === "function" ? values : callback;
    if (whenDone) {
      const parameters = typeof values === "function" ? undefined : values;
      return this.#run(queryConfig, parameters, (error: unknown, result: unknown) => {
        end(error);
        whenDone(error, result);
      });
    }
    const answer = this.#run(queryConfig, values);
    answer.then(() => end(null), end);
    return answer;
  }

  // biome-ignore lint/suspicious/noExplicitAny: as `query`
  #run(queryConfig: any, values?: any, callback?: any): any {
    const parameters: unknown[] = (Array.isArray(values) ? values : queryConfig.values) ?? [];
    const areNamesKept = this.#areNamesKept && !isNameLost;
    const name =
      areNamesKept && parameters.length > 0 ? (queryConfig.name ?? nameOf(queryConfig.text)) : undefined;
    if (!this.#isPooled && !isNameLost) {
      return super.query(name === undefined ? queryConfig : { ...queryConfig, name }, values, callback);
    }
    const query = new PooledQuery({ ...queryConfig, name }, parameters, {
      limits: this.#limits,
      limitsName: areNamesKept ? limitsName : "",
      isInTransaction: () => this.getTransactionStatus() !== "I",
      onPid: this.#onPid,
    });
    const done = typeof values === "function" ? values : callback;
    if (done) return void super.query(query, done);
    return new Promise((resolve, reject) => {
      query.callback = (error, result) => (error ? reject(error) : resolve(result));
      super.query(query);
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: returns nothing with a callback, a promise without one
  override end(callback?: any): any {
    const { stream } = this.#inside.connection;
    const late = setTimeout(() => stream.destroy(), closeTimeoutMs);
    late.unref();
    this.once("end", () => clearTimeout(late));
    return super.end(callback);
  }

  /** Breaks the connection and all statements waiting on it. */
  #abandon(reason: string): void {
    this.#inside.connection.stream.destroy(new Error(`Connection terminated: ${reason}`));
  }

  #breakSilence({ silenceMs, isAtWork }: WatchedClient): void {
    const { stream } = this.#inside.connection;
    const isWaiting = () => !this.#inside.readyForQuery;
    stream.on("timeout", async () => {
      const heard = stream.bytesRead;
      if (!isWaiting()) return;
      await delay(unreadMs);
      if (!isWaiting() || stream.bytesRead !== heard) return;
      if (await isAtWork?.(this.serverPid)) stream.setTimeout(silenceMs);
      else if (isWaiting() && stream.bytesRead === heard) {
        this.#abandon(`no answer for ${silenceMs} ms`);
      }
    });
    stream.setTimeout(silenceMs);
  }

  /**
   * Whether statement names can be used behind this pooler: one that supports them uses its own names for the server.
   * Checked in a transaction, so that a single server process answers.
   */
  async #keepsNames(pooler: string): Promise<boolean> {
    const cachedCheck = poolerNames.get(pooler);
    if (cachedCheck && performance.now() < cachedCheck.until) return cachedCheck.areKept;
    const name = `palmira_${randomBytes(8).toString("hex")}`;
    await super.query("begin");
    await super.query({ name, text: "select $1::int", values: [1] });
    const { rowCount } = await super.query("select from pg_prepared_statements where name = $1", [name]);
    const areKept = rowCount === 0;
    await super.query(areKept ? "commit" : `deallocate ${name}; commit`);
    poolerNames.set(pooler, { until: performance.now() + namesKnownMs, areKept });
    return areKept;
  }

  /** Private state of the library. */
  get #inside(): {
    connection: EventEmitter & { stream: Socket };
    readyForQuery: boolean;
    processID: number;
    pipeline: boolean;
  } {
    // biome-ignore lint/suspicious/noExplicitAny: not in its types
    return this as any;
  }
}

function nameOf(text: string): string | undefined {
  const existingName = names.get(text);
  if (existingName !== undefined || names.size >= namesMax) return existingName;
  const name = createHash("sha256").update(text).digest("hex").slice(0, 32);
  names.set(text, name);
  return name;
}
