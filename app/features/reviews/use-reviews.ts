import { type RefObject, useEffect, useRef, useState } from "react";
import type { ReviewPage } from "../../../domain/reviews/review.ts";
import { whenBackAndStale } from "./review-freshness.ts";
import type { ReviewsView, ReviewWatch } from "./review-lists.ts";

/** A list of reviews on a page, as the server rendered it until there is something to ask, and kept up to date from then on. */
export type Reviews = ReviewsView & {
  /** For the element that holds the list: one that the server could not read is asked for once it is near the screen. */
  place: RefObject<HTMLElement | null>;
  loadMore(): Promise<boolean>;
  /** After a change of the shopper's own, or to try again; false where nothing could be loaded. */
  refresh(): Promise<boolean>;
};

/** How far from the screen (px) a list is still near. */
const nearPx = 400;

let lists: typeof import("./review-lists.ts") | null = null;

/** `path`: the list's address in the API. `rendered`: what the server found there; null where it failed. */
export function useReviews(path: string, rendered: ReviewPage | null): Reviews {
  const place = useRef<HTMLElement>(null);
  const watch = useRef<LazyWatch>(null);
  const [seen, setSeen] = useState(() => ({ path, view: lists?.longListOf(path) ?? null }));

  useEffect(() => {
    const readAt = Date.now();
    const lazy = watchLazily(path, { rendered, readAt }, (view) => setSeen({ path, view }));
    watch.current = lazy;
    const begin = () => void lazy.begun();
    const stopWaiting = rendered ? whenBackAndStale(() => readAt, begin) : whenNear(place.current, begin);
    return () => {
      stopWaiting();
      lazy.stop();
    };
  }, [path, rendered]);

  const asRendered = { page: rendered, isFetching: false, isFetchingMore: false };
  return {
    ...((seen.path === path && seen.view) || asRendered),
    place,
    async loadMore() {
      const begun = await watch.current?.begun();
      return begun ? begun.loadMore() : false;
    },
    async refresh() {
      const begun = await watch.current?.begun();
      await begun?.refresh();
      return begun !== null;
    },
  };
}

type LazyWatch = { begun(): Promise<ReviewWatch | null>; stop(): void };

/** A watch that loads its code when it begins; null from `begun` where that code cannot be had. */
function watchLazily(
  path: string,
  first: { rendered: ReviewPage | null; readAt: number },
  onChange: (view: ReviewsView) => void,
): LazyWatch {
  let isOver = false;
  let begun: Promise<ReviewWatch | null> | null = null;
  const begin = async () => {
    try {
      lists ??= await import("./review-lists.ts");
    } catch {
      begun = null;
      return null;
    }
    return isOver ? null : lists.watchReviews(path, first, onChange);
  };
  return {
    begun() {
      begun ??= begin();
      return begun;
    },
    stop() {
      isOver = true;
      void begun?.then((watch) => watch?.stop());
    },
  };
}

function whenNear(element: HTMLElement | null, begin: () => void): () => void {
  if (!element) return () => {};
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      begin();
    },
    { rootMargin: `${nearPx}px` },
  );
  observer.observe(element);
  return () => observer.disconnect();
}
