import { useEffect, useRef } from "react";

/**
 * Calls `ask` again and again while something is `pending` (or some number of things), `maxTimes` at most and anew when
 * the number changes: each after a pause from the end of the call before. Never while the page is hidden, and at once
 * when it is seen again. `pauseMs` may depend on the calls made so far.
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
    let isOver = false;
    const wait = () => {
      const { pauseMs: pause } = latest.current;
      if (!isOver && times < maxTimes) {
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
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onSeen);
    };
  }, [pending, maxTimes]);
}
