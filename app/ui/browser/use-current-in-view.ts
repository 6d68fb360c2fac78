import { type RefObject, useEffect, useRef } from "react";

/** For a row of links that scrolls sideways: shows the current one whenever `current` changes. The row must be positioned. */
export function useCurrentInView<T extends HTMLElement>(current: string | null): RefObject<T | null> {
  const row = useRef<T>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another link is current
  useEffect(() => {
    const item = row.current?.querySelector("[aria-current]")?.parentElement;
    if (!row.current || !item) return;
    const { scrollLeft, clientWidth } = row.current;
    const { offsetLeft, offsetWidth } = item;
    const isInView = offsetLeft >= scrollLeft && offsetLeft + offsetWidth <= scrollLeft + clientWidth;
    // The page's margin stays beside it.
    if (!isInView) row.current.scrollTo({ left: offsetLeft - 20 });
  }, [current]);
  return row;
}
