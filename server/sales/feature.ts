import type { Feature } from "../feature.ts";
import { donationsApi } from "./donations.ts";
import { refreshSalesEverySeconds, refreshSalesTask } from "./jobs.ts";

/** Sales figures and donations. */
export const salesFeature = {
  api: donationsApi,
  cron: (ctx) => [{ task: refreshSalesTask(ctx), everySeconds: refreshSalesEverySeconds }],
} satisfies Feature;
