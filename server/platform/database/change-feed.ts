import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import type { Health } from "../process/health.ts";
import { PreparedClient, serverKeepAlive } from "./prepared-client.ts";
import { requireSession } from "./session-check.ts";

/** Subjects of the database's notifications (see the migrations). `reviews`: of any product; `reviews:1`: of product 1. */
export type Topic =
  | "catalog"
  | "settings"
  | "secrets"
  /** Announced within this server only, after it has loaded changed secrets. */
  | "connections"
  | "content"
  | "stock"
  | "views"
  | "reviews"
  | `reviews:${number}`
  | "questions"
  | "picture_originals"
  | "kept_mail"
  /** A discount starts or stops applying without a code. */
  | "discounts";

export type ChangeFeed = {
  /**
   * Caches the result of `load` until the database reports a change of `topics`, on any server. Caches only while
   * connected for notifications. A page that reads the value depends on `pageTopics`, by default on `topics`.
   */
  cached<T>(topics: readonly Topic[], load: () => Promise<T>, pageTopics?: readonly Topic[]): Cached<T>;
  /** Records that the page being rendered depends on these topics. */
  dependOn(...topics: Topic[]): void;
  /** Makes the page being rendered valid only while `holds` returns true; every request for it calls `holds`. */
  dependOnCondition(holds: () => boolean): void;
  /** Renders a page and records its dependencies. `isCurrent`: whether none of them has changed since rendering began. */
  record<T>(make: () => Promise<T>): Promise<{ result: T; isCurrent(): boolean }>;
  /**
   * Runs `work` now, after each notification of a topic, and after notifications may have been missed. Runs do not overlap, and
   * the last one begins after the last notification. Errors are logged.
   */
  watch(topic: Topic, work: () => Promise<void>): void;
  /** Reports a change within this server only. */
  announce(topic: Topic): void;
  /** False while changes could be missed. */
  isListening(): boolean;
  /** Waits, for less than a second, until this server has received all changes committed so far. */
  waitUntilCaughtUp(): Promise<void>;
  /**
   * Asks the database, without queueing for a connection, whether it accepts writes. Returns null, or the reason why not.
   * Takes a third of a second at most.
   */
  askDatabase(): Promise<string | null>;
  /** Reconnects if a new connection would behave differently from this one. */
  renew(): void;
  stop(): Promise<void>;
};

type Cached<T> = {
  (): Promise<T>;
  /** The cached value if it is still valid, without waiting; null if it would have to be loaded. */
  loaded(): { value: T } | null;
};

/** Pauses between attempts to reconnect, doubled each time. */
const pauses = { firstMs: 250, maxMs: 1_000 };
const heartbeatMs = 10_000;
const connectTimeoutMs = 5_000;
/** A connection dropped by a firewall gives no error, so a silent one is abandoned after this time. */
const silenceMs = 5_000;
/** Longest time (ms) that the response to a changing call waits for the change feed. */
const catchUpTimeoutMs = 800;
/** Longest wait (ms) of `askDatabase`. */
const queryTimeoutMs = 300;
const readOnlyQuery =
  "select pg_is_in_recovery() or current_setting('transaction_read_only')::bool as read_only";
const setUpStatements = [
  ...Object.entries(serverKeepAlive).map(([name, value]) => `set ${name} = ${value}`),
  "listen shop_changed",
].join("; ");

const healthPart = "change feed";
const noResponse = "does not answer";

/**
 * Listens to notifications of the database's triggers (migration "change_feed"), so that no writer can forget to send
 * one.
 */
export async function listenForChanges(url: string, log: Logger, health?: Health): Promise<ChangeFeed> {
  let changes = 0;
  const latest = new Map<string, number>();
  const latestChange = (topic: Topic) => latest.get(topic) ?? 0;
  /** Number of lost connections. Values cached before a loss may have changed unnoticed. */
  let losses = 0;
  const watchers: { topic: Topic; run(): void }[] = [];
  const dependencies = new AsyncLocalStorage<{ topics: Set<Topic>; conditions: (() => boolean)[] }>();
  let client: PreparedClient | null = null;
  let isStopped = false;
  let retry: NodeJS.Timeout | undefined;
  let failures = 0;
  /** Settles when the connection is free for its next query. */
  let lastQuery: Promise<unknown> = Promise.resolve();
  let pendingState: Promise<string | null> | null = null;
  let pendingCatchUp: Promise<unknown> | null = null;

  async function connect(): Promise<void> {
    const next = new PreparedClient({
      connectionString: url,
      application_name: "palmira-feed",
      connectionTimeoutMillis: connectTimeoutMs,
      silenceMs,
    });
    next.on("notification", ({ payload }) => {
      if (!payload) return;
      const [family = payload] = payload.split(":");
      receive(payload, family);
    });
    let heartbeat: NodeJS.Timeout | undefined;
    const onLoss = () => {
      clearInterval(heartbeat);
      if (client !== next) return;
      client = null;
      losses += 1;
      health?.report(healthPart, "is not connected");
      reconnectLater();
    };
    next.on("error", onLoss);
    next.on("end", onLoss);
    try {
      await next.connect();
      await requireSession(next, url);
      await next.identifyServer();
      await next.query(setUpStatements);
    } catch (error) {
      // The client may still be connected: a read-only server accepts connections but rejects LISTEN.
      next.end().catch(() => {});
      throw error;
    }
    heartbeat = setInterval(queryState, heartbeatMs);
    heartbeat.unref();
    client = next;
    lastQuery = Promise.resolve();
    failures = 0;
    health?.report(healthPart, null);
  }

  function reconnectLater(): void {
    if (isStopped) return;
    const pauseMs = Math.min(pauses.firstMs * 2 ** failures, pauses.maxMs);
    // Spreads the reconnects of several servers that lost their connections at the same moment.
    retry = setTimeout(() => void reconnect(), pauseMs * (0.75 + Math.random() / 2));
  }

  async function reconnect(): Promise<void> {
    try {
      await connect();
      if (isStopped) return await disconnect();
      for (const { run } of watchers) run();
    } catch (error) {
      failures += 1;
      log.warn({ err: error }, "the change feed is down; nothing is cached until it is back");
      reconnectLater();
    }
  }

  /** Not awaited: a dead connection never responds. */
  async function disconnect(): Promise<void> {
    const last = client;
    client = null;
    last?.end().catch(() => {});
  }

  /** Sends the query once the connection has returned the results of those before it. */
  function queryInTurn<Row extends pg.QueryResultRow>(text: string, onSend?: () => void) {
    const result = lastQuery.then((): Promise<pg.QueryResult<Row>> => {
      onSend?.();
      return client?.query(text) ?? Promise.reject(new Error(noResponse));
    });
    lastQuery = result.catch(() => {});
    return result;
  }

  async function queryState(): Promise<string | null> {
    if (client === null) return noResponse;
    pendingState ??= queryInTurn<{ read_only: boolean }>(readOnlyQuery)
      .then(({ rows }) => (rows[0]?.read_only ? "takes no writes" : null))
      .catch(() => noResponse)
      .finally(() => {
        pendingState = null;
      });
    return pendingState;
  }

  function receive(topic: string, family: string): void {
    changes += 1;
    latest.set(topic, changes).set(family, changes);
    for (const watcher of watchers) if (watcher.topic === topic) watcher.run();
  }

  function recordDependency(topics: readonly Topic[]): void {
    for (const topic of topics) dependencies.getStore()?.topics.add(topic);
  }

  await connect();
  return {
    cached<T>(topics: readonly Topic[], load: () => Promise<T>, pageTopics = topics): Cached<T> {
      let cachedLoad: { version: string; value: Promise<T>; loaded: { value: T } | null } | null = null;
      const versionNow = () => [losses, ...topics.map(latestChange)].join();
      const read = () => {
        recordDependency(pageTopics);
        if (client === null) return load();
        const version = versionNow();
        if (cachedLoad?.version === version) return cachedLoad.value;
        // A Drizzle query is a thenable, which would run again for every caller that awaits it.
        const ownLoad = { version, value: Promise.resolve(load()), loaded: null as { value: T } | null };
        cachedLoad = ownLoad;
        ownLoad.value.then(
          (value) => {
            ownLoad.loaded = { value };
          },
          () => {
            if (cachedLoad === ownLoad) cachedLoad = null;
          },
        );
        return ownLoad.value;
      };
      return Object.assign(read, {
        loaded() {
          recordDependency(pageTopics);
          return client !== null && cachedLoad?.version === versionNow() ? cachedLoad.loaded : null;
        },
      });
    },
    dependOn: (...topics) => recordDependency(topics),
    dependOnCondition: (holds) => void dependencies.getStore()?.conditions.push(holds),
    async record(make) {
      const recorded = { topics: new Set<Topic>(), conditions: [] as (() => boolean)[] };
      const firstChange = changes;
      /** No change up to this number concerns the recorded topics. */
      let checkedChange = changes;
      const lossesBefore = client === null ? null : losses;
      const result = await dependencies.run(recorded, make);
      return {
        result,
        isCurrent() {
          if (losses !== lossesBefore || client === null) return false;
          if (changes !== checkedChange) {
            for (const topic of recorded.topics) if (latestChange(topic) > firstChange) return false;
            checkedChange = changes;
          }
          return recorded.conditions.every((holds) => holds());
        },
      };
    },
    watch(topic, work) {
      let isRunning = false;
      let isDue = false;
      const runAll = async () => {
        isRunning = true;
        while (isDue) {
          isDue = false;
          await work().catch((err: unknown) =>
            log.warn({ err, topic }, "the work after a database change failed"),
          );
        }
        isRunning = false;
      };
      const run = () => {
        isDue = true;
        if (!isRunning) void runAll();
      };
      watchers.push({ topic, run });
      run();
    },
    announce: (topic) => receive(topic, topic),
    isListening: () => client !== null,
    async waitUntilCaughtUp() {
      if (client === null) return;
      // The server sends pending notifications before it reports that it is ready for the next query. Calls that wait for
      // their turn share one.
      pendingCatchUp ??= queryInTurn("", () => {
        pendingCatchUp = null;
      }).catch(() => {});
      await Promise.race([pendingCatchUp, delay(catchUpTimeoutMs, undefined, { ref: false })]);
    },
    askDatabase: () =>
      Promise.race([queryState(), delay(queryTimeoutMs, "does not answer in time", { ref: false })]),
    renew: () => void client?.end(),
    async stop() {
      isStopped = true;
      clearTimeout(retry);
      await disconnect();
    },
  };
}
