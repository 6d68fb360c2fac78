import { useEffect, useState, useSyncExternalStore } from "react";
import { type DataStrategyResult, isRouteErrorResponse, useLocation, useRevalidator } from "react-router";
import { changeListeners } from "../../../ui/browser/browser-state.ts";
import { askToUnlock } from "./session-dialogs.tsx";

type Failure = "unreachable" | "locked";

/** URL of the page on screen; null before the first page and on the lock screen. */
let shownPage: string | null = null;
/** Whether an error page is on screen, which a reload may replace; null until something is loaded after the first page. */
let isProblemShown: boolean | null = null;
let failure: Failure | null = null;
const { notify, subscribe } = changeListeners();

/**
 * Client middleware of the panel. If the page on screen cannot be reloaded, because of the connection, the server or an ended
 * session, it stays on screen with the typed text; the router alone would replace it with an error. See `useKeptPage`.
 */
export async function keepPage(
  { request }: { request: Request },
  next: () => Promise<Record<string, DataStrategyResult>>,
): Promise<void> {
  const results = await next();
  if (request.signal.aborted || request.method !== "GET") return;
  isProblemShown ??= isErrorDocument();
  if (request.url === shownPage && !isProblemShown) {
    const isLocked = results["routes/admin"]?.result === null;
    let nextFailure: Failure | null = isLocked ? "locked" : null;
    for (const [routeId, result] of Object.entries(results)) {
      if (!isLocked && !isUnreachable(result)) continue;
      nextFailure ??= "unreachable";
      // A route without a result keeps its data.
      delete results[routeId];
    }
    setFailure(nextFailure);
  }
  isProblemShown = Object.values(results).some(
    ({ type, result }) => type === "error" && !(result instanceof Response),
  );
}

function isErrorDocument(): boolean {
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return (visit?.responseStatus ?? 200) >= 400;
}

/** False for redirects and refusals, such as for a deleted record, which replace the page. */
function isUnreachable({ type, result }: DataStrategyResult): boolean {
  if (type === "data" || result instanceof Response) return false;
  return !isRouteErrorResponse(result) || result.status >= 500;
}

/** Called by Log Out: the next reload may replace the page with the lock screen. */
export function leavePage(): void {
  shownPage = null;
}

/** For the unlocked panel's frame: whether the last reload of the page on screen has failed, and how to repeat it. */
export function useKeptPage() {
  const { pathname, search } = useLocation();
  const { revalidate } = useRevalidator();
  const [isReloading, setReloading] = useState(false);
  useEffect(() => {
    shownPage = new URL(pathname + search, window.location.href).href;
  }, [pathname, search]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has just been loaded
  useEffect(() => () => setFailure(null), [pathname, search]);
  useEffect(() => leavePage, []);
  const currentFailure = useSyncExternalStore(
    subscribe,
    () => failure,
    () => null,
  );
  const reload = async () => {
    setReloading(true);
    if (failure !== "locked" || (await askToUnlock())) await revalidate();
    setReloading(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once when the session has ended, not at each poll
  useEffect(() => {
    if (currentFailure === "locked") void reload();
  }, [currentFailure]);
  return { isOutdated: currentFailure !== null, isReloading, reload };
}

function setFailure(next: Failure | null): void {
  failure = next;
  notify();
}
