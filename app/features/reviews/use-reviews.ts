import { type RefObject, useEffect, useRef, useState } from "react";
import type { Product } from "../../../domain/catalog/product.ts";
import type { ReviewPage } from "../../../domain/reviews/review.ts";
import { focusHeading } from "../../shell/page-focus.tsx";
import { onReturnIfStale } from "./review-freshness.ts";
import type { ReviewsView, ReviewWatch } from "./review-lists.ts";

/** A list of reviews on a page: first as the server rendered it, then kept up to date. */
export type Reviews = ReviewsView & {
  /** For the list's element: a list that the server could not read is requested when it is near the screen. */
  sectionRef: RefObject<HTMLElement | null>;
  loadMore(): Promise<boolean>;
  /** Reads the list again; false if the code could not be loaded. */
  refresh(): Promise<boolean>;
};

/** Distance to the screen (px) within which a list is near. */
const nearPx = 400;

let lists: typeof import("./review-lists.ts") | null = null;

/**
 * `path`: the list's path in the API. `renderedPage`: its first page as the server rendered it; null if the server
 * failed.
 */
export function useReviews(path: string, renderedPage: ReviewPage | null): Reviews {
  const sectionRef = useRef<HTMLElement>(null);
  const watch = useRef<LazyWatch>(null);
  const [shownView, setShownView] = useState(() => ({ path, view: lists?.findLoadedList(path) ?? null }));

  useEffect(() => {
    const readAt = Date.now();
    const lazy = watchLazily(path, { renderedPage, readAt }, (view) => setShownView({ path, view }));
    watch.current = lazy;
    const start = () => void lazy.start();
    const stopWaiting = renderedPage
      ? onReturnIfStale(() => readAt, start)
      : onNear(sectionRef.current, start);
    return () => {
      stopWaiting();
      lazy.stop();
    };
  }, [path, renderedPage]);

  const renderedView = { page: renderedPage, isFetching: false, isFetchingMore: false };
  return {
    ...((shownView.path === path && shownView.view) || renderedView),
    sectionRef,
    async loadMore() {
      const list = await watch.current?.start();
      return list ? list.loadMore() : false;
    },
    async refresh() {
      const list = await watch.current?.start();
      await list?.refresh();
      return list !== null;
    },
  };
}

type LazyWatch = { start(): Promise<ReviewWatch | null>; stop(): void };

/** Returns a watch that loads its code at the first `start`, which returns null if the code cannot be loaded. */
function watchLazily(
  path: string,
  initial: { renderedPage: ReviewPage | null; readAt: number },
  onChange: (view: ReviewsView) => void,
): LazyWatch {
  let isStopped = false;
  let loading: Promise<ReviewWatch | null> | null = null;
  const load = async () => {
    try {
      lists ??= await import("./review-lists.ts");
    } catch {
      loading = null;
      return null;
    }
    return isStopped ? null : lists.watchReviews(path, initial, onChange);
  };
  return {
    start() {
      loading ??= load();
      return loading;
    },
    stop() {
      isStopped = true;
      void loading?.then((watch) => watch?.stop());
    },
  };
}

/** Calls `start` once the element is near the screen. Returns a function that stops waiting. */
function onNear(element: HTMLElement | null, start: () => void): () => void {
  if (!element) return () => {};
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      start();
    },
    { rootMargin: `${nearPx}px` },
  );
  observer.observe(element);
  return () => observer.disconnect();
}

/**
 * Reads the list again after the shopper changed it. If the focused element is gone (a deleted review, the button of an
 * empty list), the list's heading is focused.
 */
export function useRefresh({ refresh, sectionRef }: Reviews): () => Promise<void> {
  const [refreshCount, setRefreshCount] = useState(0);
  useEffect(() => {
    if (refreshCount === 0 || document.activeElement !== document.body) return;
    focusHeading(sectionRef.current?.querySelector("h1, h2") ?? null);
  }, [refreshCount, sectionRef]);
  return async () => {
    await refresh();
    // Set after the list was read, so that the effect runs once it is rendered.
    setRefreshCount((count) => count + 1);
  };
}

/** The product with the latest count and average of its reviews, which may be newer than the page. */
export function withReviewSummary(product: Product, page: ReviewPage | null): Product {
  if (!page) return product;
  const { count, average } = page.summary;
  return { ...product, reviewCount: count, averageRating: average };
}
