import type { Logger } from "pino";
import * as v from "valibot";
import type { Db } from "./database.ts";
import { defineJob, type Task, task } from "./jobs.ts";

const housekeepingJob = defineJob({
  name: "housekeeping",
  payload: v.object({}),
  lane: "upkeep",
  priority: 10,
  maxAttempts: 1,
});

/** Deletes what has served its time of one kind. */
export type Forget = (db: Db, now: Date) => Promise<void>;

/** Deletes what has served its time. Each feature brings how to forget its own; one that fails keeps no other one from it. */
export function housekeepingTask(
  parts: { db: Db; log: Logger; now(): Date },
  forgetters: readonly Forget[],
): Task {
  return task(housekeepingJob, async (_, { signal }) => {
    for (const forget of forgetters) {
      if (signal.aborted) return;
      await forget(parts.db, parts.now()).catch((err: unknown) =>
        parts.log.error(
          { err, task: forget.name },
          "something could not be forgotten; the next run tries again",
        ),
      );
    }
  });
}
