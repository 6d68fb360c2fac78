import { createHash } from "node:crypto";
import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import pg from "pg";

/** Statements of the shop's own code are a few hundred; beyond this one that varies is not kept by the server. */
const namesMax = 500;
const names = new Map<string, string>();
/** The system asks an idle connection so often (ms) whether the other side is still there. */
const keepAliveMs = 10_000;
/** A good-bye that is not answered by then (ms) is to nobody. */
const goodbyeMs = 1_000;
/** The SQL state of a write where none may be made. */
export const readOnlyState = "25006";

export type WatchedClient = {
  /** A statement that is not answered for so long (ms) is given up, and its connection with it. */
  silenceMs: number;
  /** Says of a silent connection whether the server still works on its statement, which is then waited for. */
  isAtWork?: ((pid: number) => Promise<boolean>) | undefined;
  /** Hears of each refusal of the server's by its SQL state. */
  onRefusal?: ((state: string) => void) | undefined;
};

/** Server side: what a client held that has gone without a word is free again after 30 s, and so is its connection. */
export const serverKeepAlive = {
  // Nobody here leaves one unused for as long: pools close theirs before, the others are asked for a word.
  idle_session_timeout: 30_000,
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 4,
  tcp_user_timeout: 30_000,
};

/**
 * A connection that has PostgreSQL parse and plan a statement once and then only run it: most of what a short statement
 * costs. Each text gets a name of its own; without parameters (`begin`, migrations) there is nothing to gain.
 *
 * A connection whose other side has gone without a word (a firewall forgot it, a cable was pulled) would wait for
 * minutes: with `silenceMs` it breaks instead, and so does what waits on it.
 */
export class PreparedClient extends pg.Client {
  /** The server's process, which a pooler in between does not tell; 0 until it has been asked. */
  serverPid = 0;
  /** The server takes no writes on it: it must not be used a second time, as the next one may. */
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

  /** What the library keeps to itself. */
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
