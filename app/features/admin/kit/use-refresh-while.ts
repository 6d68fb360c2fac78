import { useRevalidator } from "react-router";
import { usePolling } from "../../../ui/browser/use-polling.ts";

/** Loads the page's data again while something on it is unfinished: every 3 seconds for a minute, unless told otherwise. */
export function useRefreshWhile(
  isUnfinished: boolean | number,
  { everyMs = 3_000, timesMax = 20 }: { everyMs?: number; timesMax?: number } = {},
): void {
  const { revalidate } = useRevalidator();
  usePolling(isUnfinished, revalidate, everyMs, timesMax);
}
