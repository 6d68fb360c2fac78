import { setTimeout as delay } from "node:timers/promises";
import { type CachedPage, toResponse } from "./cached-page.ts";
import type { PageCache } from "./page-cache.ts";
import { pageCacheKey } from "./public-pages.ts";
import type { Pages } from "./render.ts";

/** Serves the public pages, which depend on neither cookies nor other headers. */
export type CachedPages = {
  /** A page from memory; null if it must be rendered or is private. `now`: result of `performance.now()`. */
  peek(url: string, now: number): CachedPage | null;
  /** Null if the page is private. */
  respond(request: Request): Promise<Response | null>;
  /**
   * Renders uncached pages, one after the other, so that the cache is filled before the first visitor or an outage.
   */
  warmUp(paths: readonly string[], isStopping: () => boolean): Promise<void>;
};

/**
 * Pause after a page, as a multiple of its rendering time, and its maximum (ms), so that a slow page does not hold up the
 * others. A call waits for the page being rendered at each of its steps, so short pauses on a busy machine made the first
 * calls to a new server take more than 5 s.
 */
const warmUpPause = { times: 4, maxMs: 1_000 };

export function createCachedPages(pages: Pages, cache: PageCache): CachedPages {
  return {
    peek(url, now) {
      // Most URLs are written like their keys.
      const page = cache.peek(url, now);
      if (page) return page;
      const key = pageCacheKey(url);
      return key === null || key === url ? null : cache.peek(key, now);
    },
    async respond(request) {
      const key = requestCacheKey(request);
      if (key === null) return null;
      const page = await cache.get(key, () => pages.renderPublic(key));
      return toResponse(page, request);
    },
    async warmUp(paths, isStopping) {
      for (const path of paths) {
        if (isStopping()) return;
        const startedAt = performance.now();
        await cache.get(path, () => pages.renderPublic(path));
        const pauseMs = warmUpPause.times * (performance.now() - startedAt);
        await delay(Math.min(warmUpPause.maxMs, pauseMs), null, { ref: false });
      }
    },
  };
}

function requestCacheKey({ method, url }: Request): string | null {
  return method === "GET" || method === "HEAD" ? pageCacheKey(url) : null;
}
