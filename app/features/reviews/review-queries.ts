import {
  type InfiniteData,
  InfiniteQueryObserver,
  type InfiniteQueryObserverResult,
  QueryClient,
} from "@tanstack/react-query";
import type { ReviewPage } from "../../../domain/reviews/review.ts";
import { callApi } from "../api.ts";
import { freshMs } from "./review-freshness.ts";

// Loaded only when there is something to ask (see use-reviews.ts): most visits do without these bytes.

/** What is known of a list of reviews; `page` has all that were loaded, null where none could be. */
export type ReviewsView = { page: ReviewPage | null; isFetching: boolean; isFetchingMore: boolean };

export type ReviewWatch = {
  /** Loads the next page; false where that failed. */
  loadMore(): Promise<boolean>;
  /** Reads all lists on screen anew; they stand as they are until the answer is there. */
  refresh(): Promise<void>;
  stop(): void;
};

type Pages = InfiniteData<ReviewPage, string | null>;

const retries = 3;
const retryDelayMaxMs = 30_000;

const client = new QueryClient();
// Without it nothing is read anew when the shopper comes back to the window.
client.mount();

/**
 * Keeps a list that the server rendered up to date. `path` is its first page's address in the API; `rendered` what
 * the server found there, and `readAt` (epoch ms) when the browser got that.
 */
export function watchReviews(
  path: string,
  { rendered, readAt }: { rendered: ReviewPage | null; readAt: number },
  onChange: (view: ReviewsView) => void,
): ReviewWatch {
  // A page that was just rendered is newer than what an earlier visit left; further pages are worth keeping.
  if (rendered && !isLong(client.getQueryData<Pages>(keyOf(path)))) {
    const pages = { pages: [rendered], pageParams: [null] };
    client.setQueryData<Pages>(keyOf(path), pages, { updatedAt: readAt });
  }
  const observer = new InfiniteQueryObserver<ReviewPage, Error, Pages, readonly string[], string | null>(
    client,
    {
      queryKey: keyOf(path),
      queryFn: ({ pageParam, signal }) => fetchPage(path, pageParam, signal),
      initialPageParam: null,
      getNextPageParam: (last) => last.nextCursor,
      staleTime: freshMs,
      retry: retries,
      retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, retryDelayMaxMs),
      refetchOnWindowFocus: true,
    },
  );
  const unsubscribe = observer.subscribe((result) => onChange(viewOf(result)));
  onChange(viewOf(observer.getCurrentResult()));
  return {
    loadMore: async () => !(await observer.fetchNextPage()).isFetchNextPageError,
    refresh: () => client.invalidateQueries({ queryKey: ["reviews"] }),
    stop: unsubscribe,
  };
}

/** All that an earlier visit loaded of the list, where that is more than its first page. */
export function longListOf(path: string): ReviewsView | null {
  const pages = client.getQueryData<Pages>(keyOf(path));
  return isLong(pages) ? { page: joined(pages), isFetching: false, isFetchingMore: false } : null;
}

async function fetchPage(path: string, cursor: string | null, signal: AbortSignal): Promise<ReviewPage> {
  const { pathname, searchParams } = new URL(path, window.location.origin);
  const productId = /\/product\/(\d+)$/.exec(pathname)?.[1];
  // An address that no cache on the way has seen.
  const query = { ...Object.fromEntries(searchParams), cursor, _t: Date.now() };
  const options = { query, signal } as const;
  const answer = await (productId === undefined
    ? callApi("GET /api/reviews", options)
    : callApi("GET /api/reviews/product/:productId", { ...options, params: { productId } }));
  if (answer.ok) return answer.body;
  throw new Error(`${answer.problem.status}: ${answer.problem.message}`);
}

function viewOf(result: InfiniteQueryObserverResult<Pages>): ReviewsView {
  return {
    page: joined(result.data),
    isFetching: result.isFetching,
    isFetchingMore: result.isFetchingNextPage,
  };
}

function joined(pages: Pages | undefined): ReviewPage | null {
  const last = pages?.pages.at(-1);
  if (!pages || !last) return null;
  // A review whose rating was changed between two pages is on both.
  const reviews = new Map(pages.pages.flatMap(({ data }) => data).map((review) => [review.id, review]));
  return { ...last, data: [...reviews.values()] };
}

function isLong(pages: Pages | undefined): pages is Pages {
  return pages !== undefined && pages.pages.length > 1;
}

function keyOf(path: string) {
  return ["reviews", path] as const;
}
