import pg from "pg";
import type { Logger } from "pino";

/** What the database tells of (see the migrations). `reviews` hears of every product's; `reviews:1` of one's. */
export type Topic = "catalog" | "settings" | "stock" | "views" | "reviews" | `reviews:${number}`;

export type ChangeFeed = {
  /**
   * Keeps the answer of `load` until the database says that something of `topics` changed, on whichever server. While
   * the database cannot say so, nothing is kept.
   */
  cached<T>(topics: readonly Topic[], load: () => Promise<T>): () => Promise<T>;
  stop(): Promise<void>;
};

const reconnectMs = 1_000;

/** Listens to the database's own triggers (see the migration "change_feed"), so that no writer can forget to tell. */
export async function listenForChanges(url: string, log: Logger): Promise<ChangeFeed> {
  /** Counts each topic's changes. */
  const versions = new Map<string, number>();
  let client: pg.Client | null = null;
  let isStopped = false;
  let retry: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: url });
    next.on("notification", ({ payload }) => {
      if (!payload) return;
      const [family = payload] = payload.split(":");
      for (const topic of new Set([payload, family])) versions.set(topic, (versions.get(topic) ?? 0) + 1);
    });
    const lost = () => {
      if (client !== next) return;
      client = null;
      for (const [topic, version] of versions) versions.set(topic, version + 1);
      if (!isStopped) retry = setTimeout(() => void reconnect(), reconnectMs);
    };
    next.on("error", lost);
    next.on("end", lost);
    await next.connect();
    await next.query("listen shop_changed");
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

  await connect();
  return {
    cached(topics, load) {
      let kept: { version: string; value: ReturnType<typeof load> } | null = null;
      return () => {
        if (client === null) return load();
        for (const topic of topics) if (!versions.has(topic)) versions.set(topic, 0);
        const version = topics.map((topic) => versions.get(topic)).join();
        if (kept?.version === version) return kept.value;
        const value = load();
        kept = { version, value };
        value.catch(() => {
          if (kept?.value === value) kept = null;
        });
        return value;
      };
    },
    async stop() {
      isStopped = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}
