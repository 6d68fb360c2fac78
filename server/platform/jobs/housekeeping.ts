import type { Logger } from "pino";
import * as v from "valibot";
import { defineJob, type Task, task } from "./jobs.ts";

const housekeepingJob = defineJob({
  name: "housekeeping",
  payload: v.object({}),
  lane: "upkeep",
  priority: 10,
  maxAttempts: 1,
});

export const housekeepingEverySeconds = 6 * 60 * 60;

/** Runs all purges in this order. A failed purge does not stop the others, but fails the run at the end. */
export function housekeepingTask(
  log: Logger,
  purges: readonly { name: string; run(): Promise<void> }[],
): Task {
  return task(housekeepingJob, async (_, { signal }) => {
    const failures: string[] = [];
    for (const { name, run } of purges) {
      if (signal.aborted) return;
      await run().catch((err: unknown) => {
        log.error({ err, task: name }, "old data could not be deleted; the next run tries again");
        failures.push(`${name}: ${err instanceof Error ? err.message : String(err)}`);
      });
    }
    if (failures.length > 0) throw new Error(failures.join("; "));
  });
}

const minutelyJob = defineJob({ ...housekeepingJob, name: "tidy_up" });

export const minutelyEverySeconds = 60;

/** Runs tasks that cannot wait six hours for the next housekeeping. */
export function minutelyTask(log: Logger, tasks: readonly { name: string; run(): Promise<void> }[]): Task {
  return { ...housekeepingTask(log, tasks), job: minutelyJob };
}
