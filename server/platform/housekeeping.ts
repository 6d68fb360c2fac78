import * as v from "valibot";
import type { Db } from "./database.ts";
import { defineJob, type Task, task } from "./jobs.ts";

const housekeepingJob = defineJob({
  name: "housekeeping",
  payload: v.object({}),
  lane: "mail",
  priority: 10,
  maxAttempts: 1,
});

/** Deletes what has served its time of one kind. */
export type Forget = (db: Db, now: Date) => Promise<void>;

/** Deletes what has served its time. Each feature brings how to forget its own. */
export function housekeepingTask(parts: { db: Db; now(): Date }, forgetters: readonly Forget[]): Task {
  return task(housekeepingJob, async () => {
    for (const forget of forgetters) await forget(parts.db, parts.now());
  });
}
