import * as v from "valibot";
import { defineJob, type Task, task } from "../platform/jobs.ts";
import { type WatchParts, watchStock } from "./watch.ts";

const watchStockJob = defineJob({
  name: "watch_stock",
  payload: v.object({}),
  lane: "upkeep",
  priority: 0,
  maxAttempts: 1,
});

export const watchStockEverySeconds = 5 * 60;

export function watchStockTask(parts: WatchParts): Task {
  return task(watchStockJob, () => watchStock(parts));
}
