import type { Feature } from "../feature.ts";
import { salesApi } from "./api.ts";
import { refreshSalesEverySeconds, refreshSalesTask } from "./jobs.ts";

/** The overview of what is sold, and what is given of it. */
export const salesFeature = {
  api: salesApi,
  cron: (ctx) => [{ task: refreshSalesTask(ctx), everySeconds: refreshSalesEverySeconds }],
} satisfies Feature;
