import { useRevalidator } from "react-router";
import { usePolling } from "../../../ui/use-polling.ts";

const everyMs = 3_000;
const timesMax = 20;

/** Asks for the page's data again while something of it is under way: a minute at most. */
export function useRefreshWhile(isUnderWay: boolean): void {
  const { revalidate } = useRevalidator();
  usePolling(isUnderWay, revalidate, everyMs, timesMax);
}
