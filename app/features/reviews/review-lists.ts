import type { ReviewPage } from "../../../domain/reviews/review.ts";
import { callApi } from "../api.ts";
import { freshMs, onReturnIfStale } from "./review-freshness.ts";

// Loaded on demand (see use-reviews.ts): most visits do not need it.

/** State of a list of reviews; `page` joins all loaded pages, and is null if none has been loaded. */
export type ReviewsView = { page: ReviewPage | null; isFetching: boolean; isFetchingMore: boolean };

export type ReviewWatch = {
  /** Loads the next page; false on failure. */
  loadMore(): Promise<boolean>;
  /** Reads all lists on screen again; the old lists stay until the responses arrive. */
  refresh(): Promise<void>;
  stop(): void;
};

/** A list loaded during this visit. */
type List = {
  path: string;
  pages: ReviewPage[];
  /** When the list was last read, epoch ms; 0 if it must be read again. */
  readAt: number;
  /** When the last watcher stopped, epoch ms. */
  leftAt: number;
  watchers: Set<(view: ReviewsView) => void>;
  currentRead: { controller: AbortController; isNextPage: boolean } | null;
};

const maxRetries = 3;
const lists = new Map<string, List>();

/**
 * Keeps a list up to date. `path` is the API path of its first page, `renderedPage` that page as the server rendered it, and
 * `readAt` the time (epoch ms) when the browser received it.
 */
export function watchReviews(
  path: string,
  { renderedPage, readAt }: { renderedPage: ReviewPage | null; readAt: number },
  onChange: (view: ReviewsView) => void,
): ReviewWatch {
  const list = lists.get(path) ?? {
    path,
    pages: [],
    readAt: 0,
    leftAt: 0,
    watchers: new Set(),
    currentRead: null,
  };
  lists.set(path, list);
  // A newly rendered page replaces the stored one, but not a list of several pages.
  if (renderedPage && list.pages.length < 2) Object.assign(list, { pages: [renderedPage], readAt });
  list.watchers.add(onChange);
  const stopWaiting = onReturnIfStale(
    () => list.readAt,
    () => void rereadPages(list),
  );
  if (Date.now() - list.readAt >= freshMs) void rereadPages(list);
  else onChange(listView(list));
  return {
    async loadMore() {
      const cursor = list.pages.at(-1)?.nextCursor ?? null;
      return read(list, true, async (signal) => [...list.pages, await fetchPage(path, cursor, signal)]);
    },
    async refresh() {
      for (const list of lists.values()) list.readAt = 0;
      await Promise.all([...lists.values()].filter(({ watchers }) => watchers.size > 0).map(rereadPages));
    },
    stop() {
      stopWaiting();
      list.watchers.delete(onChange);
      if (list.watchers.size > 0) return;
      list.currentRead?.controller.abort();
      list.currentRead = null;
      list.leftAt = Date.now();
    },
  };
}

/** The list as loaded earlier, if it has more than one page. */
export function findLoadedList(path: string): ReviewsView | null {
  const list = lists.get(path);
  if (!list || list.pages.length < 2) return null;
  const isExpired = list.watchers.size === 0 && Date.now() - list.leftAt >= freshMs;
  if (isExpired) lists.delete(path);
  return isExpired ? null : listView(list);
}

/** Reads all loaded pages again. */
function rereadPages(list: List): Promise<boolean> {
  return read(list, false, async (signal) => {
    const pages = [await fetchPage(list.path, null, signal)];
    let cursor = pages[0]?.nextCursor ?? null;
    while (cursor !== null && pages.length < list.pages.length) {
      const page = await fetchPage(list.path, cursor, signal);
      pages.push(page);
      cursor = page.nextCursor;
    }
    return pages;
  });
}

/** Runs one read at a time; a new read aborts the previous one. Returns false if it failed or was aborted. */
async function read(
  list: List,
  isNextPage: boolean,
  loadPages: (signal: AbortSignal) => Promise<ReviewPage[]>,
): Promise<boolean> {
  list.currentRead?.controller.abort();
  const currentRead = { controller: new AbortController(), isNextPage };
  list.currentRead = currentRead;
  notify(list);
  const pages = await loadPages(currentRead.controller.signal).catch(() => null);
  if (list.currentRead !== currentRead) return false;
  list.currentRead = null;
  if (pages) Object.assign(list, { pages, readAt: Date.now() });
  notify(list);
  return pages !== null;
}

/** Retries after one, two and four seconds; throws if all attempts fail. */
async function fetchPage(path: string, cursor: string | null, signal: AbortSignal): Promise<ReviewPage> {
  const { pathname, searchParams } = new URL(path, window.location.origin);
  const productId = /\/product\/(\d+)$/.exec(pathname)?.[1];
  for (let attempt = 0; ; attempt += 1) {
    // `_t` makes the URL unique, to bypass caches.
    const query = { ...Object.fromEntries(searchParams), cursor, _t: Date.now() };
    const response = await (productId === undefined
      ? callApi("GET /api/reviews", { query, signal })
      : callApi("GET /api/reviews/product/:productId", { query, signal, params: { productId } }));
    if (response.ok) return response.body;
    if (attempt < maxRetries) await new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** attempt));
    if (attempt === maxRetries || signal.aborted) throw new Error(response.problem.message);
  }
}

function notify(list: List): void {
  for (const onChange of list.watchers) onChange(listView(list));
}

function listView({ pages, currentRead }: List): ReviewsView {
  const lastPage = pages.at(-1);
  // A review whose rating changed between two requests may be on both pages.
  const reviews = new Map(pages.flatMap(({ data }) => data).map((review) => [review.id, review]));
  return {
    page: lastPage ? { ...lastPage, data: [...reviews.values()] } : null,
    isFetching: currentRead !== null,
    isFetchingMore: currentRead?.isNextPage ?? false,
  };
}
