import { setTimeout as delay } from "node:timers/promises";
import type { ChangeFeed } from "../platform/database/change-feed.ts";
import { type CachedPage, toCachedPage } from "./cached-page.ts";

export type PageCache = {
  /** The cached page if it may be sent as it is. */
  peek(address: string): CachedPage | null;
  /**
   * The cached page, also where it is only old, or else one that is made now, once for all who wait for it. Where that
   * fails the kept one is sent, out of date as it is, unless `neverStale`.
   */
  get(address: string, make: RenderPage, options?: { neverStale: boolean }): Promise<CachedPage>;
};

/** `isFit` is false for a page that must not be cached, because it had to omit something, say. */
export type RenderPage = () => Promise<{ response: Response; isFit: boolean }>;
export type PageCacheOutcome = "hit" | "miss" | "changed" | "old" | "last_good";

type Entry = { page: CachedPage; isCurrent(): boolean; madeAt: number; failedAt: number };
type Made = { page: CachedPage; isCurrent(): boolean; isGood: boolean };

const limits = { entries: 300, bytes: 24 * 1024 * 1024 };
/** Views, donations and the year are not in the change feed: an older page is sent and renewed behind it. */
const oldAfterMs = 60_000;
/**
 * While changes may be missed, a cached page waits this long (ms) for its successor, and is not renewed again this
 * soon after a failure.
 */
const patienceMs = 250;
const pauseMs = 1_000;

/** Caches public pages until what they show changes. The last good copy stays available even when nothing else is. */
export function createPageCache(input: {
  changes: ChangeFeed;
  count(outcome: PageCacheOutcome): void;
  countMade(seconds: number): void;
  report(error: unknown): void;
}): PageCache {
  const { changes, count } = input;
  /** Ordered by last use. */
  const entries = new Map<string, Entry>();
  const making = new Map<string, Promise<Made>>();
  let bytes = 0;

  function drop(address: string): void {
    bytes -= entries.get(address)?.page.bytes ?? 0;
    entries.delete(address);
  }

  function keep(address: string, entry: Entry): void {
    drop(address);
    entries.set(address, entry);
    bytes += entry.page.bytes;
    for (const oldest of entries.keys()) {
      if (entries.size <= limits.entries && bytes <= limits.bytes) break;
      drop(oldest);
    }
  }

  function touch(address: string, entry: Entry): void {
    entries.delete(address);
    entries.set(address, entry);
  }

  async function makeNow(address: string, make: RenderPage): Promise<Made> {
    const begunAt = performance.now();
    const { made, isCurrent } = await changes.record(make);
    const page = await toCachedPage(made.response);
    input.countMade((performance.now() - begunAt) / 1_000);
    const isGood = page.status === 200 && made.isFit;
    // An outdated page is kept too: not to be sent, but for when the database is down.
    if (isGood)
      keep(address, { page, isCurrent, madeAt: performance.now(), failedAt: Number.NEGATIVE_INFINITY });
    else if (isGone(page)) drop(address);
    return { page, isCurrent, isGood };
  }

  function begin(address: string, make: RenderPage): Promise<Made> {
    const made = makeNow(address, make).finally(() => {
      if (making.get(address) === made) making.delete(address);
    });
    making.set(address, made);
    return made;
  }

  /** Joins a rendering under way, unless what it shows has changed since that began. */
  async function madeFor(address: string, make: RenderPage): Promise<Made> {
    const underWay = making.get(address);
    if (!underWay) return begin(address, make);
    const made = await underWay;
    if (made.isCurrent() || !changes.isListening()) return made;
    return making.get(address) ?? begin(address, make);
  }

  /** Null if it failed: the cached page stays. */
  async function renewed(address: string, entry: Entry, make: RenderPage): Promise<CachedPage | null> {
    try {
      const { page, isGood } = await madeFor(address, make);
      if (isGood || isGone(page)) return page;
    } catch (error) {
      input.report(error);
    }
    entry.failedAt = performance.now();
    return null;
  }

  function peek(address: string): CachedPage | null {
    const entry = entries.get(address);
    if (!entry || performance.now() - entry.madeAt > oldAfterMs || !entry.isCurrent()) return null;
    touch(address, entry);
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
        return (await madeFor(address, make)).page;
      }
      touch(address, entry);
      const now = performance.now();
      if (entry.isCurrent()) {
        count("old");
        entry.madeAt = now;
        void renewed(address, entry, make);
        return entry.page;
      }
      const isPaused = now - entry.failedAt < pauseMs;
      const next = isPaused
        ? null
        : changes.isListening()
          ? await renewed(address, entry, make)
          : await Promise.race([renewed(address, entry, make), delay(patienceMs, null, { ref: false })]);
      count(next ? "changed" : "last_good");
      return next ?? entry.page;
    },
  };
}

/** The address now answers something else: it has moved, or the product is gone. */
function isGone({ status }: CachedPage): boolean {
  return status !== 200 && status < 500;
}
