import { useEffect, useState } from "react";
import { focusHeading } from "../../shell/page-focus.tsx";
import type { Reviews } from "./use-reviews.ts";

/**
 * Reads the list anew after a change of the shopper's own. Where what had the focus is gone from the new list (the
 * button of an empty one, a deleted review), the focus goes to the list's heading.
 */
export function useRefresh({ refresh, place }: Reviews): () => Promise<void> {
  const [refreshed, setRefreshed] = useState(0);
  useEffect(() => {
    if (refreshed === 0 || document.activeElement !== document.body) return;
    focusHeading(place.current?.querySelector("h1, h2") ?? null);
  }, [refreshed, place]);
  return async () => {
    await refresh();
    // Shown together with the new list.
    setRefreshed((count) => count + 1);
  };
}
