import { createHash } from "node:crypto";
import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import pg from "pg";

/** The shop has a few hundred statements; beyond this number they run unnamed. */
const namesMax = 500;
const names = new Map<string, string>();
/** TCP keepalive interval of idle connections (ms). */
const keepAliveMs = 10_000;
/** How long a closing connection may take (ms). */
const goodbyeMs = 1_000;
/** SQL state: read-only transaction. */
export const readOnlyState = "25006";

export type WatchedClient = {
  /** A statement without an answer for this long (ms) is abandoned, and its connection with it. */
  silenceMs: number;
  /** Tells whether the server still works on the statement of a silent connection, which is then waited for. */
  isAtWork?: ((pid: number) => Promise<boolean>) | undefined;
  /** Called with the SQL state of each error. */
  onRefusal?: ((state: string) => void) | undefined;
};

/** Server side: the locks and connection of a vanished client are released after 30 s. */
export const serverKeepAlive = {
  // Longer than any connection here stays unused: pools close theirs earlier, the others are probed.
  idle_session_timeout: 30_000,
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 4,
  tcp_user_timeout: 30_000,
};

/**
 * A connection that prepares each statement with parameters once, under a name, and then only runs it: parsing and
 * planning are most of what a short statement costs. A connection whose peer vanished (a firewall, a pulled cable)
 * would be waited on for minutes: with `silenceMs` it breaks, and so does what waits on it.
 */
export class PreparedClient extends pg.Client {
  /** The server process's id, which a pooler does not reveal; 0 until asked. */
  serverPid = 0;
  /** The server is read-only on this connection: it must not be reused, since the next one may not be. */
  isReadOnly = false;

  constructor(config: pg.ClientConfig & Partial<WatchedClient> = {}) {
    super({ keepAlive: true, keepAliveInitialDelayMillis: keepAliveMs, ...config });
    const { silenceMs, isAtWork, onRefusal } = config;
    this.#inside.connection.on("errorMessage", ({ code = "" }) => {
      if (code === readOnlyState) this.isReadOnly = true;
      onRefusal?.(code);
    });
    if (silenceMs) this.once("connect", () => this.#breakSilence({ silenceMs, isAtWork }));
  }

  // biome-ignore lint/suspicious/noExplicitAny: `query` is overloaded six ways; all but one are passed on as they are
  override query(config: any, values?: any, callback?: any): any {
    if (typeof config?.text !== "string" || config.name !== undefined || !(values?.length > 0)) {
      return super.query(config, values, callback);
    }
    const name = nameOf(config.text);
    return super.query(name === undefined ? config : { ...config, name }, values, callback);
  }

  // biome-ignore lint/suspicious/noExplicitAny: with a callback it answers nothing, without one a promise
  override end(callback?: any): any {
    const { stream } = this.#inside.connection;
    const late = setTimeout(() => stream.destroy(), goodbyeMs);
    late.unref();
    this.once("end", () => clearTimeout(late));
    return super.end(callback);
  }

  #breakSilence({ silenceMs, isAtWork }: WatchedClient): void {
    const { stream } = this.#inside.connection;
    const isWaiting = () => !this.#inside.readyForQuery;
    stream.on("timeout", async () => {
      const heard = stream.bytesRead;
      if (!isWaiting()) return;
      if (await isAtWork?.(this.serverPid)) stream.setTimeout(silenceMs);
      else if (isWaiting() && stream.bytesRead === heard) {
        stream.destroy(new Error(`Connection terminated: no answer for ${silenceMs} ms`));
      }
    });
    stream.setTimeout(silenceMs);
  }

  /** Private state of the library. */
  get #inside(): { connection: EventEmitter & { stream: Socket }; readyForQuery: boolean } {
    // biome-ignore lint/suspicious/noExplicitAny: not in its types
    return this as any;
  }
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= namesMax) return known;
  const name = createHash("sha256").update(text).digest("hex").slice(0, 32);
  names.set(text, name);
  return name;
}
