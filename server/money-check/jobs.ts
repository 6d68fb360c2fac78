import * as v from "valibot";
import { defineJob } from "../platform/jobs/jobs.ts";

/** Hold the payments of a period against the orders. It can wait, and may take minutes. */
export const runMoneyCheckJob = defineJob({
  name: "run_money_check",
  payload: v.object({ checkId: v.number() }),
  lane: "upkeep",
  priority: 5,
  maxAttempts: 10,
});

/** Begin the money check of the night, once its hour has come. */
export const nightlyMoneyCheckJob = defineJob({
  name: "nightly_money_check",
  payload: v.object({}),
  lane: "upkeep",
  priority: 0,
  maxAttempts: 1,
});
