import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import type { Logger } from "pino";

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
  stop(): Promise<void>;
};

export type Cached<T> = {
  (): Promise<T>;
  /** What is kept and still holds, without asking anybody; null where it would have to be loaded or waited for. */
  kept(): { value: T } | null;
};

const reconnectMs = 1_000;
const heartbeatMs = 10_000;
const answerMs = 5_000;

/** Listens to the database's own triggers (see the migration "change_feed"), so that no writer can forget to tell. */
export async function listenForChanges(url: string, log: Logger): Promise<ChangeFeed> {
  let changes = 0;
  /** The number of each topic's latest change. */
  const latest = new Map<string, number>();
  const latestOf = (topic: Topic) => latest.get(topic) ?? 0;
  /** Counts how often the connection was lost: whatever was kept until then may have changed unheard. */
  let losses = 0;
  const notes = new AsyncLocalStorage<Set<Topic>>();
  let client: pg.Client | null = null;
  let isStopped = false;
  let retry: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: url, query_timeout: answerMs });
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
      if (!isStopped) retry = setTimeout(() => void reconnect(), reconnectMs);
    };
    next.on("error", lost);
    next.on("end", lost);
    await next.connect();
    await next.query("listen shop_changed");
    // A connection that a firewall has forgotten says nothing at all: it is asked now and then.
    const ask = () =>
      next.query("select 1").catch(() => {
        lost();
        next.end().catch(() => {});
      });
    heartbeat = setInterval(ask, heartbeatMs);
    heartbeat.unref();
    client = next;
  }

  async function reconnect(): Promise<void> {
    try {
      await connect();
    } catch (error) {
      log.warn({ err: error }, "the change feed is down; nothing is cached until it is back");
      if (!isStopped) retry = setTimeout(() => void reconnect(), reconnectMs);
    }
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
    async stop() {
      isStopped = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}
