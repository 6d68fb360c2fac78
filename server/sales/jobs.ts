import * as v from "valibot";
import type { ShopContext } from "../context.ts";
import { defineJob, type Task, task } from "../platform/jobs/jobs.ts";
import { refreshSales } from "./rollup.ts";

export const refreshSalesEverySeconds = 300;

const refreshSalesJob = defineJob({
  name: "refresh_sales",
  payload: v.object({}),
  lane: "upkeep",
  priority: 20,
  maxAttempts: 1,
});

/** Runs at start and every few minutes: updates the tables of the overview. */
export function refreshSalesTask(ctx: ShopContext): Task {
  return task(refreshSalesJob, async () => {
    const { timeZone } = await ctx.ownerSettings();
    await refreshSales(ctx.db, { now: ctx.now(), timeZone });
  });
}
