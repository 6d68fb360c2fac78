import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/**
 * After a page change, moves focus to what is new, as a full page load would: the linked section, or else the h1.
 * Without it, screen reader and keyboard users stay on a link that is gone.
 */
export function PageFocus() {
  const { pathname, hash, state } = useLocation();
  const keepsFocus = typeof state === "object" && state !== null && "keepsFocus" in state;
  const place = pathname + hash;
  const previous = useRef(place);
  useEffect(() => {
    if (previous.current === place) return;
    previous.current = place;
    // A page that is a dialog over the one before takes the focus itself, and gives it back.
    if (keepsFocus || document.querySelector("[role=dialog]")) return;
    const linked = hash ? document.getElementById(hash.slice(1)) : null;
    const heading = linked?.matches("h2") ? linked : linked?.querySelector("h2");
    focusHeading(heading ?? undefined);
  }, [place, hash, keepsFocus]);
  return null;
}

/** Moves focus to a heading, by itself the page's h1, where what had the focus is gone. */
export function focusHeading(heading: Element | null = document.querySelector("main h1")): void {
  if (!(heading instanceof HTMLElement)) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
