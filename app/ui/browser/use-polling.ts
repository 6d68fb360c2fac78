import { useEffect, useEffectEvent } from "react";

/**
 * Calls `poll` repeatedly while `pending` (true or a count), at most `maxTimes`; a changed count starts over. Each call waits
 * for a pause after the previous one has ended. Paused while the page is hidden; calls immediately when it is visible again.
 * `pauseMs` may depend on the number of calls made.
 */
export function usePolling(
  pending: boolean | number,
  poll: () => Promise<unknown>,
  pauseMs: number | ((timesAsked: number) => number),
  maxTimes = Number.POSITIVE_INFINITY,
): void {
  const pollNow = useEffectEvent(poll);
  const pauseAfter = useEffectEvent((times: number) =>
    typeof pauseMs === "number" ? pauseMs : pauseMs(times),
  );
  useEffect(() => {
    if (!pending) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let times = 0;
    let isPolling = false;
    let isUnmounted = false;
    const wait = () => {
      if (!isUnmounted && times < maxTimes) timer = setTimeout(run, pauseAfter(times));
    };
    const run = async () => {
      clearTimeout(timer);
      if (isPolling || document.hidden) return;
      isPolling = true;
      times += 1;
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
