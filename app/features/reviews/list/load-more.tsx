import { type MouseEvent, type ReactNode, useLayoutEffect, useRef } from "react";
import { ButtonLink, Spinner } from "../../../ui/button.tsx";
import { toast } from "../../../ui/toast.tsx";
import type { Reviews } from "../use-reviews.ts";

/**
 * A list of reviews (`children`: one `ul`) with the way to more of them. Focus moves to the first new one: the link was
 * its place in the list. `to` is where the rest is without JavaScript.
 */
export function LoadMore({ reviews, to, children }: { reviews: Reviews; to: string; children: ReactNode }) {
  const { page, isFetchingMore } = reviews;
  const list = useRef<HTMLDivElement>(null);
  /** How many were there when more were asked for; null: none were. */
  const before = useRef<number | null>(null);
  const count = page?.data.length ?? 0;
  useLayoutEffect(() => {
    if (before.current === null || count <= before.current) return;
    const first = list.current?.querySelectorAll<HTMLElement>("ul > li[tabindex]")[before.current];
    before.current = null;
    first?.focus();
  }, [count]);

  const load = async (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (before.current !== null) return;
    before.current = list.current?.querySelectorAll("ul > li[tabindex]").length ?? 0;
    if (await reviews.loadMore()) return;
    before.current = null;
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
