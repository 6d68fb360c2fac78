import { housekeepingTask } from "../platform/housekeeping.ts";
import type { RecurringTask } from "../platform/job-workers.ts";
import { forgetGivenUpJobs } from "../platform/jobs.ts";
import { forgetStrangers } from "../visitors/forget.ts";
import type { Area } from "./area.ts";
import type { ComposeInput } from "./input.ts";

const housekeepingEverySeconds = 6 * 60 * 60;

/** Has every area delete what has served its time. */
export function housekeeping({ db, log, now }: ComposeInput, areas: readonly Area[]): RecurringTask {
  const forgetters = areas.flatMap((area) => area.forgetters ?? []);
  return {
    // Visitors last: they go once nothing else knows them.
    task: housekeepingTask({ db, log, now }, [...forgetters, forgetGivenUpJobs, forgetStrangers]),
    everySeconds: housekeepingEverySeconds,
  };
}
