import pg from "pg";
import type { Logger } from "pino";

export type ChangeFeed = {
  /**
   * Keeps the answer of `load` until the database says that something of `topic` changed, on whichever server. While
   * the database cannot say so, nothing is kept.
   */
  cached<T>(topic: "catalog" | "settings", load: () => Promise<T>): () => Promise<T>;
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
      if (payload) versions.set(payload, (versions.get(payload) ?? 0) + 1);
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
    cached(topic, load) {
      let kept: { version: number; value: ReturnType<typeof load> } | null = null;
      return () => {
        if (client === null) return load();
        const version = versions.get(topic) ?? 0;
        versions.set(topic, version);
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
