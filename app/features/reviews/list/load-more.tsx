import { type MouseEvent, type ReactNode, useLayoutEffect, useRef } from "react";
import { ButtonLink, Spinner } from "../../../ui/button.tsx";
import { toast } from "../../../ui/toast.tsx";
import type { Reviews } from "../use-reviews.ts";

/**
 * A list of reviews (`children`: `ul` elements) with a link that loads more and focuses the first new review. `to` is
 * the page that the link opens without JavaScript.
 */
export function LoadMore({ reviews, to, children }: { reviews: Reviews; to: string; children: ReactNode }) {
  const { page, isFetchingMore } = reviews;
  const list = useRef<HTMLDivElement>(null);
  /** Number of reviews when more were requested; null if no request is running. */
  const countBefore = useRef<number | null>(null);
  const count = page?.data.length ?? 0;
  useLayoutEffect(() => {
    if (countBefore.current === null || count <= countBefore.current) return;
    const firstNew = list.current?.querySelectorAll<HTMLElement>("ul > li[tabindex]")[countBefore.current];
    countBefore.current = null;
    firstNew?.focus();
  }, [count]);

  const load = async (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (countBefore.current !== null) return;
    countBefore.current = list.current?.querySelectorAll("ul > li[tabindex]").length ?? 0;
    if (await reviews.loadMore()) return;
    countBefore.current = null;
    toast({
      title: "Unable to load reviews",
      description: "This might be due to a network issue.",
      tone: "danger",
    });
  };

  return (
    <div ref={list}>
      {children}
      {page?.nextCursor && (
        <div className="grid justify-items-center gap-3 pt-8">
          <p className="text-small text-ink-muted">
            {count} of {page.total} reviews
          </p>
          <ButtonLink to={to} variant="secondary" aria-disabled={isFetchingMore || undefined} onClick={load}>
            {isFetchingMore && <Spinner />} Load more
          </ButtonLink>
        </div>
      )}
      <p role="status" className="sr-only">
        {isFetchingMore && "Loading reviews..."}
      </p>
    </div>
  );
}
