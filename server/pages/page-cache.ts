import { setTimeout as delay } from "node:timers/promises";
import type { ChangeFeed } from "../platform/database/change-feed.ts";
import { type CachedPage, toCachedPage } from "./cached-page.ts";

export type PageCache = {
  /** The cached page if it is current. `now`: result of `performance.now()`. */
  peek(path: string, now?: number): CachedPage | null;
  /**
   * The cached page, even if it is due for renewal, or otherwise a new one, rendered once for all concurrent callers. If
   * rendering fails, returns the outdated page, unless `neverStale`.
   */
  get(path: string, render: RenderPage, options?: { neverStale: boolean }): Promise<CachedPage>;
};

/** `isCacheable`: false for a page that must not be cached, for example because a part could not be read. */
export type RenderPage = () => Promise<{ response: Response; isCacheable: boolean }>;
type PageCacheOutcome = "hit" | "miss" | "renewed" | "stale_while_renewing" | "last_good";

type Entry = {
  page: CachedPage;
  isCurrent(): boolean;
  renderedAt: number;
  failedAt: number;
  lastUse: number;
};
type RenderResult = { page: CachedPage; isCurrent(): boolean; isCacheable: boolean };

const limits = { entries: 300, bytes: 24 * 1024 * 1024 };
/**
 * A page older than this is served once more while it is renewed, since view counts, donation totals and the footer's year do
 * not trigger the change feed.
 */
const maxAgeMs = 60_000;
/** How long (ms) a request waits for a renewed page while the change feed is disconnected. */
const renewTimeoutMs = 250;
/** Pause (ms) of the renewals of a page after a failure. */
const pauseMs = 1_000;

/** Caches public pages until their data changes. The last good copy stays available during outages. */
export function createPageCache(input: {
  changes: ChangeFeed;
  count(outcome: PageCacheOutcome): void;
  observeRenderSeconds(seconds: number): void;
  report(error: unknown): void;
}): PageCache {
  const { changes, count } = input;
  const entries = new Map<string, Entry>();
  const renderings = new Map<string, Promise<RenderResult>>();
  let bytes = 0;
  let useCount = 0;

  function drop(path: string): void {
    bytes -= entries.get(path)?.page.bytes ?? 0;
    entries.delete(path);
  }

  function store(path: string, entry: Entry): void {
    drop(path);
    entries.set(path, entry);
    bytes += entry.page.bytes;
    while (entries.size > limits.entries || bytes > limits.bytes) drop(leastRecentlyUsed());
  }

  /** Searched only when the cache is full: keeping entries in order would cost each request more. */
  function leastRecentlyUsed(): string {
    let [oldest, oldestUse] = ["", Number.POSITIVE_INFINITY];
    for (const [path, { lastUse }] of entries) {
      if (lastUse < oldestUse) [oldest, oldestUse] = [path, lastUse];
    }
    return oldest;
  }

  function use(entry: Entry): void {
    useCount += 1;
    entry.lastUse = useCount;
  }

  async function renderNow(path: string, render: RenderPage): Promise<RenderResult> {
    const startedAt = performance.now();
    const { result, isCurrent } = await changes.record(render);
    const page = await toCachedPage(result.response);
    input.observeRenderSeconds((performance.now() - startedAt) / 1_000);
    const isCacheable = page.status === 200 && result.isCacheable;
    // A page that became outdated during rendering is cached, too, to be served if the database is down.
    if (isCacheable) {
      useCount += 1;
      const failedAt = Number.NEGATIVE_INFINITY;
      store(path, { page, isCurrent, renderedAt: performance.now(), failedAt, lastUse: useCount });
    } else if (isRemovedPage(page)) drop(path);
    return { page, isCurrent, isCacheable };
  }

  function startRendering(path: string, render: RenderPage): Promise<RenderResult> {
    const rendering = renderNow(path, render).finally(() => {
      if (renderings.get(path) === rendering) renderings.delete(path);
    });
    renderings.set(path, rendering);
    return rendering;
  }

  /** Joins a rendering in progress, unless its data has changed since it began. */
  async function renderShared(path: string, render: RenderPage): Promise<RenderResult> {
    const pending = renderings.get(path);
    if (!pending) return startRendering(path, render);
    const page = await pending;
    if (page.isCurrent() || !changes.isListening()) return page;
    return renderings.get(path) ?? startRendering(path, render);
  }

  /** Returns null if rendering failed; the cached page stays. */
  async function renew(path: string, entry: Entry, render: RenderPage): Promise<CachedPage | null> {
    try {
      const { page, isCacheable } = await renderShared(path, render);
      if (isCacheable || isRemovedPage(page)) return page;
    } catch (error) {
      input.report(error);
    }
    entry.failedAt = performance.now();
    return null;
  }

  function peek(path: string, now = performance.now()): CachedPage | null {
    const entry = entries.get(path);
    if (!entry || now - entry.renderedAt > maxAgeMs || !entry.isCurrent()) return null;
    use(entry);
    count("hit");
    return entry.page;
  }

  return {
    peek,
    async get(path, render, { neverStale } = { neverStale: false }) {
      const freshPage = peek(path);
      if (freshPage) return freshPage;
      const entry = entries.get(path);
      if (!entry || (neverStale && !entry.isCurrent())) {
        count("miss");
        return (await renderShared(path, render)).page;
      }
      use(entry);
      const now = performance.now();
      if (entry.isCurrent()) {
        count("stale_while_renewing");
        entry.renderedAt = now;
        void renew(path, entry, render);
        return entry.page;
      }
      const isPaused = now - entry.failedAt < pauseMs;
      const renewedPage = isPaused
        ? null
        : changes.isListening()
          ? await renew(path, entry, render)
          : await Promise.race([renew(path, entry, render), delay(renewTimeoutMs, null, { ref: false })]);
      count(renewedPage ? "renewed" : "last_good");
      return renewedPage ?? entry.page;
    },
  };
}

/** Whether the URL now leads to a redirect or an error, for example for a deleted product. */
function isRemovedPage({ status }: CachedPage): boolean {
  return status !== 200 && status < 500;
}
