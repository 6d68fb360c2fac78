import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/**
 * Moves focus to the linked section or the h1 after a navigation. Otherwise the focus of screen reader and keyboard
 * users would stay on a link that no longer exists.
 */
export function PageFocus() {
  const { pathname, hash, state } = useLocation();
  const keepsFocus = typeof state === "object" && state !== null && "keepsFocus" in state;
  const path = pathname + hash;
  const previous = useRef(path);
  useEffect(() => {
    if (previous.current === path) return;
    previous.current = path;
    // A page shown as a dialog over the previous page manages the focus itself.
    if (keepsFocus || document.querySelector("[role=dialog]")) return;
    const target = hash ? document.getElementById(hash.slice(1)) : null;
    const heading = target?.matches("h2") ? target : target?.querySelector("h2");
    focusHeading(heading ?? undefined);
  }, [path, hash, keepsFocus]);
  return null;
}

/** Moves focus to a heading, by default the page's h1, when the focused element has been removed. */
export function focusHeading(heading: Element | null = document.querySelector("main h1")): void {
  if (!(heading instanceof HTMLElement)) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
