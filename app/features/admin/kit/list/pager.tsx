import { type ReactNode, useEffect, useRef } from "react";
import { useSearchParams } from "react-router";
import { focusHeading } from "../../../../shell/page-focus.tsx";
import { ButtonLink } from "../../../../ui/button.tsx";
import { withParam } from "./search-params.ts";

/**
 * Below a paginated list: how many entries are shown, and a link to the next page. The page is a `cursor` in the URL,
 * so that the back button goes back one page.
 */
export function Pager({
  nextCursor,
  shown,
  children,
}: {
  nextCursor: string | null;
  /** The number of entries shown, and the noun for one entry. Without entries there is no pager. */
  shown?: readonly [count: number, noun: string];
  /** Replaces `shown`, such as "6 of 6 orders". */
  children?: ReactNode;
}) {
  const [search] = useSearchParams();
  const cursor = search.get("cursor");
  const isBeyondFirstPage = cursor !== null;
  const nav = useRef<HTMLElement>(null);
  const lastCursor = useRef(cursor);
  // After paging, focus moves to the heading. A filter, which also returns to the first page, keeps the focus.
  useEffect(() => {
    if (lastCursor.current === cursor) return;
    lastCursor.current = cursor;
    const { activeElement, body } = document;
    if (activeElement === body || nav.current?.contains(activeElement)) focusHeading();
  }, [cursor]);
  if (shown?.[0] === 0) return null;
  return (
    <nav ref={nav} aria-label="Pages" className="mt-4 flex flex-wrap items-center justify-between gap-3">
      <span className="text-small text-ink-muted">
        {children}
        {shown && `${shown[0]} ${shown[1]}${shown[0] === 1 ? "" : "s"}`}
        {shown && (isBeyondFirstPage || nextCursor !== null) && " on this page"}
      </span>
      <span className="flex flex-wrap gap-2">
        {isBeyondFirstPage && (
          <ButtonLink variant="quiet" size="small" to={withParam(search, "cursor", null)}>
            Back to the first page
          </ButtonLink>
        )}
        {nextCursor !== null && (
          <ButtonLink variant="secondary" size="small" to={withParam(search, "cursor", nextCursor)}>
            Next page
          </ButtonLink>
        )}
      </span>
    </nav>
  );
}
