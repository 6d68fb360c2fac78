import type { Feature } from "../feature.ts";
import { announceStock } from "../outbox/stock-news.ts";
import { inventoryApi } from "./api.ts";
import { watchStockEverySeconds, watchStockTask } from "./jobs.ts";
import { recallApi } from "./recall-api.ts";

export const inventoryFeature = {
  api: ({ db, now, ownerSettings, timeZone, today }) => [
    ...inventoryApi({ db, now, today, lowStockAt: async () => (await ownerSettings()).lowStockAt }),
    ...recallApi({ db, timeZone }),
  ],
  cron: ({ db, now, ownerSettings, today }) => [
    {
      task: watchStockTask({
        db,
        now,
        today,
        lowStockAt: async () => (await ownerSettings()).lowStockAt,
        announce: announceStock,
      }),
      everySeconds: watchStockEverySeconds,
    },
  ],
} satisfies Feature;
