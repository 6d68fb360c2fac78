import * as v from "valibot";
import { defineJob } from "../platform/jobs/jobs.ts";

/** Compares the payments of a period with the orders; low priority, as it may take minutes. */
export const runMoneyCheckJob = defineJob({
  name: "run_money_check",
  payload: v.object({ checkId: v.number() }),
  lane: "upkeep",
  priority: 5,
  maxAttempts: 10,
});

/** Starts the nightly money check when it is due. */
export const nightlyMoneyCheckJob = defineJob({
  name: "nightly_money_check",
  payload: v.object({}),
  lane: "upkeep",
  priority: 0,
  maxAttempts: 1,
});
