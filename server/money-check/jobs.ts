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
