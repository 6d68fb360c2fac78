import * as v from "valibot";
import type { OwnerSettings } from "../../domain/settings/settings.ts";
import type { Database } from "../platform/database.ts";
import { defineJob, type Task, task } from "../platform/jobs.ts";
import { refreshSales } from "./rollup.ts";

export const refreshSalesEverySeconds = 300;

const refreshSalesJob = defineJob({
  name: "refresh_sales",
  payload: v.object({}),
  lane: "upkeep",
  priority: 20,
  maxAttempts: 1,
});

/** Runs at start and every few minutes: keeps what the overview is read from. */
export function refreshSalesTask(parts: {
  db: Database;
  now(): Date;
  ownerSettings(): Promise<OwnerSettings>;
}): Task {
  return task(refreshSalesJob, async () => {
    const { timeZone } = await parts.ownerSettings();
    await refreshSales(parts.db, { now: parts.now(), timeZone });
  });
}
