import type { Feature } from "../feature.ts";
import { recurring, task } from "../platform/jobs/jobs.ts";
import { moneyCheckApi } from "./api.ts";
import { checkNightly, runMoneyCheck, runMoneyCheckJob } from "./start.ts";

/** Looks every hour whether the nightly check is due. */
const nightlyJob = { name: "nightly_money_check", lane: "upkeep", priority: 0, everySeconds: 3600 } as const;

/** Compares the provider's payments of a period with the orders. */
export const moneyCheckFeature = {
  api: moneyCheckApi,
  tasks: (ctx) => [task(runMoneyCheckJob, ({ checkId }, context) => runMoneyCheck(ctx, checkId, context))],
  cron: (ctx) => [recurring(nightlyJob, () => checkNightly(ctx))],
} satisfies Feature;
