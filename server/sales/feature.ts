import type { Feature } from "../feature.ts";
import { recurring } from "../platform/jobs/jobs.ts";
import { donationsApi } from "./donations.ts";
import { refreshSales } from "./rollup.ts";

const refreshJob = { name: "refresh_sales", lane: "upkeep", priority: 20, everySeconds: 300 } as const;

export const salesFeature = {
  api: donationsApi,
  cron: (ctx) => [
    recurring(refreshJob, async () => {
      const { timeZone } = await ctx.ownerSettings();
      await refreshSales(ctx.db, { now: ctx.now(), timeZone });
    }),
  ],
} satisfies Feature;
