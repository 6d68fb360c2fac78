import type { Feature } from "../feature.ts";
import { customersApi } from "./api.ts";
import { refreshCustomersTask, refreshEverySeconds } from "./refresh.ts";

/** Who bought: a list and a page of each, worked out of the orders. */
export const customersFeature = {
  api: customersApi,
  cron: (ctx) => [{ task: refreshCustomersTask(ctx), everySeconds: refreshEverySeconds }],
} satisfies Feature;
