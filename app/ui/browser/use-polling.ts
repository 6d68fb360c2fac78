import { useEffect, useRef } from "react";

/**
 * Calls `ask` repeatedly while `pending` (true or a count), at most `maxTimes`; a changed count starts over. Each call waits
 * for a pause after the previous one has ended. Paused while the page is hidden; calls immediately when it is visible again.
 * `pauseMs` may depend on the number of calls made.
 */
export function usePolling(
  pending: boolean | number,
  ask: () => Promise<unknown>,
  pauseMs: number | ((timesAsked: number) => number),
  maxTimes = Number.POSITIVE_INFINITY,
): void {
  const latest = useRef({ ask, pauseMs });
  useEffect(() => {
    latest.current = { ask, pauseMs };
  });
  useEffect(() => {
    if (!pending) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let times = 0;
    let isAsking = false;
    let isUnmounted = false;
    const wait = () => {
      const { pauseMs: pause } = latest.current;
      if (!isUnmounted && times < maxTimes) {
        timer = setTimeout(run, typeof pause === "number" ? pause : pause(times));
      }
    };
    const run = async () => {
      clearTimeout(timer);
      if (isAsking || document.hidden) return;
      isAsking = true;
      times += 1;
      await latest.current.ask();
      isAsking = false;
      wait();
    };
    const onSeen = () => void run();
    document.addEventListener("visibilitychange", onSeen);
    wait();
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onSeen);
    };
  }, [pending, maxTimes]);
}
