import type { Feature } from "../feature.ts";
import { donationsApi } from "./donations-api.ts";
import { refreshSalesEverySeconds, refreshSalesTask } from "./jobs.ts";

/** What is sold, and what is given of it. */
export const salesFeature = {
  api: donationsApi,
  cron: (ctx) => [{ task: refreshSalesTask(ctx), everySeconds: refreshSalesEverySeconds }],
} satisfies Feature;
