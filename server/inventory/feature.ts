import type { Feature } from "../feature.ts";
import { ownerTimeZone, today } from "../settings/today.ts";
import { inventoryApi } from "./api.ts";
import { watchStockEverySeconds, watchStockTask } from "./jobs.ts";
import { enqueueStockAlert, inventoryMail } from "./mail.ts";
import { recallApi } from "./recall-api.ts";

export const inventoryFeature = {
  api: (ctx) => [
    ...inventoryApi({
      ...ctx,
      today: () => today(ctx),
      lowStockAt: async () => (await ctx.ownerSettings()).lowStockAt,
    }),
    ...recallApi({ ...ctx, timeZone: () => ownerTimeZone(ctx) }),
  ],
  cron: (ctx) => [
    {
      task: watchStockTask({
        ...ctx,
        today: () => today(ctx),
        lowStockAt: async () => (await ctx.ownerSettings()).lowStockAt,
        announce: enqueueStockAlert,
      }),
      everySeconds: watchStockEverySeconds,
    },
  ],
  mail: inventoryMail,
} satisfies Feature;
