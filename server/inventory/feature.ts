import type { Feature } from "../feature.ts";
import { batchesApi } from "./batches-api.ts";
import { inventoryMail } from "./mail.ts";
import { recallApi } from "./recall-api.ts";
import { stockApi } from "./stock-api.ts";
import { watchStockTask } from "./watch.ts";

export const inventoryFeature = {
  api: [...stockApi, ...batchesApi, ...recallApi],
  cron: (ctx) => [watchStockTask(ctx)],
  mail: inventoryMail,
} satisfies Feature;
