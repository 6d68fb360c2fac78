import { type RefObject, useEffect, useRef } from "react";

/**
 * Keeps the current link of a row that scrolls sideways in the middle when `current`, the font or the row's width
 * changes. The row must be positioned, because the offsets of its links are relative to it.
 */
export function useCurrentInView<T extends HTMLElement>(current: string | null): RefObject<T | null> {
  const row = useRef<T>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another link is current
  useEffect(() => {
    const item = row.current?.querySelector("[aria-current]")?.parentElement;
    if (!row.current || !item) return;
    const { current: list } = row;
    const show = () => list.scrollTo({ left: item.offsetLeft - (list.clientWidth - item.offsetWidth) / 2 });
    // The observer also calls it immediately.
    const observer = new ResizeObserver(show);
    observer.observe(list);
    void document.fonts.ready.then(show);
    return () => observer.disconnect();
  }, [current]);
  return row;
}
