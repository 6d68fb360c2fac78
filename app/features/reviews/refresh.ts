import { focusHeading } from "../../shell/page-focus.tsx";
import type { Reviews } from "./use-reviews.ts";

/** Reads the list anew; where what had the focus is gone from it, the focus goes to the list's heading. */
export async function refreshKeepingFocus({ refresh, place }: Reviews): Promise<void> {
  await refresh();
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    focusHeading(place.current?.querySelector("h1, h2") ?? null);
  });
}
