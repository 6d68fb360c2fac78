import { useEffect, useEffectEvent } from "react";

/**
 * Calls `poll` repeatedly while `pending` (true or a count), at most `maxTimes`; a changed count starts over. There is
 * a pause after the end of each call, which may depend on the number of calls made. Stops while the page is hidden, and
 * calls immediately when it is visible again.
 */
export function usePolling(
  pending: boolean | number,
  poll: () => Promise<unknown>,
  pauseMs: number | ((pollCount: number) => number),
  maxTimes = Number.POSITIVE_INFINITY,
): void {
  const pollNow = useEffectEvent(poll);
  const pauseAfter = useEffectEvent((pollCount: number) =>
    typeof pauseMs === "number" ? pauseMs : pauseMs(pollCount),
  );
  useEffect(() => {
    if (!pending) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pollCount = 0;
    let isPolling = false;
    let isUnmounted = false;
    const wait = () => {
      if (!isUnmounted && pollCount < maxTimes) timer = setTimeout(run, pauseAfter(pollCount));
    };
    const run = async () => {
      clearTimeout(timer);
      if (isPolling || document.hidden) return;
      isPolling = true;
      pollCount += 1;
      await pollNow();
      isPolling = false;
      wait();
    };
    const onVisible = () => void run();
    document.addEventListener("visibilitychange", onVisible);
    wait();
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [pending, maxTimes]);
}
