import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Health } from "./health.ts";
import { PreparedClient, serverKeepAlive } from "./prepared-client.ts";

/** What the database tells of (see the migrations). `reviews` hears of every product's; `reviews:1` of one's. */
export type Topic = "catalog" | "settings" | "stock" | "views" | "reviews" | `reviews:${number}`;

export type ChangeFeed = {
  /**
   * Keeps the answer of `load` until the database says that something of `topics` changed, on whichever server. While
   * the database cannot say so, nothing is kept. A page that reads it depends on `shows`, or else on `topics`.
   */
  cached<T>(topics: readonly Topic[], load: () => Promise<T>, shows?: readonly Topic[]): Cached<T>;
  /** Says of the page being made that it shows what `topics` are about. */
  note(...topics: Topic[]): void;
  /** Makes a page. `isCurrent` answers whether nothing that it noted has changed since it was begun. */
  record<T>(make: () => Promise<T>): Promise<{ made: T; isCurrent(): boolean }>;
  /** False while changes could be missed. */
  isListening(): boolean;
  /**
   * Asks the database, past all that waits for other connections, whether it takes writes: null, or why not. Less than a
   * second.
   */
  askDatabase(): Promise<string | null>;
  /** Connects again, should the connection have become another one than a new one would be. */
  renew(): void;
  stop(): Promise<void>;
};

export type Cached<T> = {
  (): Promise<T>;
  /** What is kept and still holds, without asking anybody; null where it would have to be loaded or waited for. */
  kept(): { value: T } | null;
};

/** Between tries to connect again (ms): twice as long each time, for a database that is down is not to be hurried. */
const pauses = { first: 250, most: 5_000 };
const heartbeatMs = 10_000;
const connectMs = 5_000;
/** A connection that a firewall has forgotten says nothing at all: it is given up after that. */
const silenceMs = 5_000;
/** Who asks for readiness waits no longer. */
const readinessMs = 800;
const isReadOnly =
  "select pg_is_in_recovery() or current_setting('transaction_read_only')::bool as read_only";
const greeting = [
  ...Object.entries(serverKeepAlive).map(([name, value]) => `set ${name} = ${value}`),
  "listen shop_changed",
].join("; ");

const part = "change feed";
const noAnswer = "does not answer";

/** Listens to the database's own triggers (see the migration "change_feed"), so that no writer can forget to tell. */
export async function listenForChanges(url: string, log: Logger, health?: Health): Promise<ChangeFeed> {
  let changes = 0;
  /** The number of each topic's latest change. */
  const latest = new Map<string, number>();
  const latestOf = (topic: Topic) => latest.get(topic) ?? 0;
  /** Counts how often the connection was lost: whatever was kept until then may have changed unheard. */
  let losses = 0;
  const notes = new AsyncLocalStorage<Set<Topic>>();
  let client: PreparedClient | null = null;
  let isStopped = false;
  let retry: NodeJS.Timeout | undefined;
  let failures = 0;
  let asked: Promise<string | null> | null = null;

  async function connect(): Promise<void> {
    const next = new PreparedClient({
      connectionString: url,
      application_name: "palmira-feed",
      connectionTimeoutMillis: connectMs,
      silenceMs,
    });
    next.on("notification", ({ payload }) => {
      if (!payload) return;
      const [family = payload] = payload.split(":");
      changes += 1;
      latest.set(payload, changes).set(family, changes);
    });
    let heartbeat: NodeJS.Timeout | undefined;
    const lost = () => {
      clearInterval(heartbeat);
      if (client !== next) return;
      client = null;
      losses += 1;
      health?.report(part, "is not connected");
      reconnectLater();
    };
    next.on("error", lost);
    next.on("end", lost);
    try {
      await next.connect();
      await next.query(greeting);
    } catch (error) {
      // It may be connected all the same, and would stay so: a server that only reads takes connections, but no LISTEN.
      next.end().catch(() => {});
      throw error;
    }
    heartbeat = setInterval(ask, heartbeatMs);
    heartbeat.unref();
    client = next;
    failures = 0;
    health?.report(part, null);
  }

  function reconnectLater(): void {
    if (isStopped) return;
    const pauseMs = Math.min(pauses.first * 2 ** failures, pauses.most);
    // Several servers that lost it in the same moment do not come back in the same moment.
    retry = setTimeout(() => void reconnect(), pauseMs * (0.75 + Math.random() / 2));
  }

  async function reconnect(): Promise<void> {
    try {
      await connect();
      if (isStopped) await end();
    } catch (error) {
      failures += 1;
      log.warn({ err: error }, "the change feed is down; nothing is cached until it is back");
      reconnectLater();
    }
  }

  /** Not waited for: on a dead connection nobody says good-bye. */
  async function end(): Promise<void> {
    const last = client;
    client = null;
    last?.end().catch(() => {});
  }

  /** One question at a time: a connection answers them in turn. */
  async function ask(): Promise<string | null> {
    if (client === null) return noAnswer;
    asked ??= client
      .query(isReadOnly)
      .then(({ rows }: { rows: { read_only: boolean }[] }) => (rows[0]?.read_only ? "takes no writes" : null))
      .catch(() => noAnswer)
      .finally(() => {
        asked = null;
      });
    return asked;
  }

  function note(topics: readonly Topic[]): void {
    for (const topic of topics) notes.getStore()?.add(topic);
  }

  await connect();
  return {
    cached<T>(topics: readonly Topic[], load: () => Promise<T>, shows = topics): Cached<T> {
      let kept: { version: string; value: Promise<T>; loaded: { value: T } | null } | null = null;
      const versionNow = () => [losses, ...topics.map(latestOf)].join();
      const read = () => {
        note(shows);
        if (client === null) return load();
        const version = versionNow();
        if (kept?.version === version) return kept.value;
        // A query of Drizzle only looks like a promise: it would run anew for everybody who waits for it.
        const mine = { version, value: Promise.resolve(load()), loaded: null as { value: T } | null };
        kept = mine;
        mine.value.then(
          (value) => {
            mine.loaded = { value };
          },
          () => {
            if (kept === mine) kept = null;
          },
        );
        return mine.value;
      };
      return Object.assign(read, {
        kept() {
          note(shows);
          return client !== null && kept?.version === versionNow() ? kept.loaded : null;
        },
      });
    },
    note: (...topics) => note(topics),
    async record(make) {
      const noted = new Set<Topic>();
      const begunAfter = changes;
      const lossesBefore = client === null ? null : losses;
      const made = await notes.run(noted, make);
      return {
        made,
        isCurrent() {
          if (losses !== lossesBefore || client === null) return false;
          for (const topic of noted) if (latestOf(topic) > begunAfter) return false;
          return true;
        },
      };
    },
    isListening: () => client !== null,
    askDatabase: () => Promise.race([ask(), delay(readinessMs, "does not answer in time", { ref: false })]),
    renew: () => void client?.end(),
    async stop() {
      isStopped = true;
      clearTimeout(retry);
      await end();
    },
  };
}
