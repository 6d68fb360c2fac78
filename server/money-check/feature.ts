import type { Feature } from "../feature.ts";
import { task } from "../platform/jobs/jobs.ts";
import { moneyCheckApi } from "./api.ts";
import { nightlyMoneyCheckJob, runMoneyCheckJob } from "./jobs.ts";
import { checkNightly, runMoneyCheck } from "./start.ts";

/** Interval (s) at which the shop checks whether the nightly comparison is due. */
const nightlyEverySeconds = 60 * 60;

/** Compares the provider's payments of a period with the orders. */
export const moneyCheckFeature = {
  api: moneyCheckApi,
  tasks: (ctx) => [task(runMoneyCheckJob, ({ checkId }, context) => runMoneyCheck(ctx, checkId, context))],
  cron: (ctx) => [
    {
      task: task(nightlyMoneyCheckJob, async () => {
        await checkNightly(ctx);
      }),
      everySeconds: nightlyEverySeconds,
    },
  ],
} satisfies Feature;
