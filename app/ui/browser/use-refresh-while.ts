import { useRevalidator } from "react-router";
import { usePolling } from "./use-polling.ts";

/** Reloads the page's data while something on it is unfinished: by default every 3 seconds for a minute. */
export function useRefreshWhile(
  isUnfinished: boolean | number,
  { everyMs = 3_000, maxTimes = 20 }: { everyMs?: number; maxTimes?: number } = {},
): void {
  const { revalidate } = useRevalidator();
  usePolling(isUnfinished, revalidate, everyMs, maxTimes);
}
