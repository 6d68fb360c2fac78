import { setTimeout as delay } from "node:timers/promises";
import type { ChangeFeed } from "../platform/database/change-feed.ts";
import { type CachedPage, toCachedPage } from "./cached-page.ts";

export type PageCache = {
  /** The cached page if it is current. `now`: of `performance.now()`. */
  peek(address: string, now?: number): CachedPage | null;
  /**
   * The cached page, even if it is due for renewal, else a new one, rendered once for all concurrent callers. If rendering
   * fails, returns the outdated page, unless `neverStale`.
   */
  get(address: string, make: RenderPage, options?: { neverStale: boolean }): Promise<CachedPage>;
};

/** `isCacheable`: false for a page that must not be cached, for example because a part could not be read. */
export type RenderPage = () => Promise<{ response: Response; isCacheable: boolean }>;
export type PageCacheOutcome = "hit" | "miss" | "changed" | "old" | "last_good";

type Entry = { page: CachedPage; isCurrent(): boolean; madeAt: number; failedAt: number; lastUse: number };
type RenderResult = { page: CachedPage; isCurrent(): boolean; isCacheable: boolean };

const limits = { entries: 300, bytes: 24 * 1024 * 1024 };
/** Views, donations and the year are not in the change feed: an older page is sent and renewed in the background. */
const oldAfterMs = 60_000;
/**
 * While the change feed is disconnected, a request waits this long (ms) for a renewed page. After a failure, renewal
 * pauses for `pauseMs`.
 */
const renewTimeoutMs = 250;
const pauseMs = 1_000;

/** Caches public pages until their data changes. The last good copy stays available during outages. */
export function createPageCache(input: {
  changes: ChangeFeed;
  count(outcome: PageCacheOutcome): void;
  countMade(seconds: number): void;
  report(error: unknown): void;
}): PageCache {
  const { changes, count } = input;
  const entries = new Map<string, Entry>();
  const making = new Map<string, Promise<RenderResult>>();
  let bytes = 0;
  let uses = 0;

  function drop(address: string): void {
    bytes -= entries.get(address)?.page.bytes ?? 0;
    entries.delete(address);
  }

  function keep(address: string, entry: Entry): void {
    drop(address);
    entries.set(address, entry);
    bytes += entry.page.bytes;
    while (entries.size > limits.entries || bytes > limits.bytes) drop(leastRecentlyUsed());
  }

  /** Looked for only when the cache is full: keeping entries in order would cost each request more. */
  function leastRecentlyUsed(): string {
    let [oldest, oldestUse] = ["", Number.POSITIVE_INFINITY];
    for (const [address, { lastUse }] of entries) {
      if (lastUse < oldestUse) [oldest, oldestUse] = [address, lastUse];
    }
    return oldest;
  }

  function use(entry: Entry): void {
    uses += 1;
    entry.lastUse = uses;
  }

  async function makeNow(address: string, make: RenderPage): Promise<RenderResult> {
    const startedAt = performance.now();
    const { made, isCurrent } = await changes.record(make);
    const page = await toCachedPage(made.response);
    input.countMade((performance.now() - startedAt) / 1_000);
    const isCacheable = page.status === 200 && made.isCacheable;
    // A page that became outdated during rendering is cached, too, to be served if the database is down.
    if (isCacheable) {
      uses += 1;
      const failedAt = Number.NEGATIVE_INFINITY;
      keep(address, { page, isCurrent, madeAt: performance.now(), failedAt, lastUse: uses });
    } else if (isRemovedPage(page)) drop(address);
    return { page, isCurrent, isCacheable };
  }

  function begin(address: string, make: RenderPage): Promise<RenderResult> {
    const rendering = makeNow(address, make).finally(() => {
      if (making.get(address) === rendering) making.delete(address);
    });
    making.set(address, rendering);
    return rendering;
  }

  /** Joins a rendering in progress, unless its data has changed since it began. */
  async function renderShared(address: string, make: RenderPage): Promise<RenderResult> {
    const underWay = making.get(address);
    if (!underWay) return begin(address, make);
    const page = await underWay;
    if (page.isCurrent() || !changes.isListening()) return page;
    return making.get(address) ?? begin(address, make);
  }

  /** Null: rendering failed, and the cached page stays. */
  async function renew(address: string, entry: Entry, make: RenderPage): Promise<CachedPage | null> {
    try {
      const { page, isCacheable } = await renderShared(address, make);
      if (isCacheable || isRemovedPage(page)) return page;
    } catch (error) {
      input.report(error);
    }
    entry.failedAt = performance.now();
    return null;
  }

  function peek(address: string, now = performance.now()): CachedPage | null {
    const entry = entries.get(address);
    if (!entry || now - entry.madeAt > oldAfterMs || !entry.isCurrent()) return null;
    use(entry);
    count("hit");
    return entry.page;
  }

  return {
    peek,
    async get(address, make, { neverStale } = { neverStale: false }) {
      const fresh = peek(address);
      if (fresh) return fresh;
      const entry = entries.get(address);
      if (!entry || (neverStale && !entry.isCurrent())) {
        count("miss");
        return (await renderShared(address, make)).page;
      }
      use(entry);
      const now = performance.now();
      if (entry.isCurrent()) {
        count("old");
        entry.madeAt = now;
        void renew(address, entry, make);
        return entry.page;
      }
      const isPaused = now - entry.failedAt < pauseMs;
      const next = isPaused
        ? null
        : changes.isListening()
          ? await renew(address, entry, make)
          : await Promise.race([renew(address, entry, make), delay(renewTimeoutMs, null, { ref: false })]);
      count(next ? "changed" : "last_good");
      return next ?? entry.page;
    },
  };
}

/** Whether the address now leads to a redirect or an error, for example for a deleted product. */
function isRemovedPage({ status }: CachedPage): boolean {
  return status !== 200 && status < 500;
}
