import { useEffect } from "react";
import { useRevalidator } from "react-router";

const everyMs = 3_000;
const timesMax = 20;

/** Asks for the page's data again while something of it is under way: a minute at most. */
export function useRefreshWhile(isUnderWay: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isUnderWay) return;
    let times = 0;
    const timer = window.setInterval(() => {
      times += 1;
      if (times >= timesMax) window.clearInterval(timer);
      if (!document.hidden) void revalidate();
    }, everyMs);
    return () => window.clearInterval(timer);
  }, [isUnderWay, revalidate]);
}
