import { useEffect, useState } from "react";
import { focusHeading } from "../../shell/page-focus.tsx";
import type { Reviews } from "./use-reviews.ts";

/**
 * Reads the list again after the shopper changed it. If the focused element is gone (a deleted review, the button of an
 * empty list), the list's heading is focused.
 */
export function useRefresh({ refresh, place }: Reviews): () => Promise<void> {
  const [refreshCount, setRefreshCount] = useState(0);
  useEffect(() => {
    if (refreshCount === 0 || document.activeElement !== document.body) return;
    focusHeading(place.current?.querySelector("h1, h2") ?? null);
  }, [refreshCount, place]);
  return async () => {
    await refresh();
    // Rendered together with the new list.
    setRefreshCount((count) => count + 1);
  };
}
