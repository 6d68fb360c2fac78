import { listIssues } from "../admin/issues.ts";
import type { Feature } from "../feature.ts";
import { firstToShip } from "../orders/admin-list.ts";
import { salesApi } from "./api.ts";
import { refreshSalesEverySeconds, refreshSalesTask } from "./jobs.ts";

/** Orders that the overview shows of those to be shipped. */
const shownToShip = 5;

/** The overview of what is sold, and what is given of it. */
export const salesFeature = {
  api: ({ db, now, ownerSettings, products, provider, settings }) =>
    salesApi({
      db,
      now,
      mode: provider.mode,
      settings,
      ownerSettings,
      ratingSummary: products.ratingSummary,
      attention: () => listIssues(db, provider),
      waitingToShip: () => firstToShip(db, { limit: shownToShip, mode: provider.mode }),
    }),
  cron: ({ db, now, ownerSettings }) => [
    { task: refreshSalesTask({ db, now, ownerSettings }), everySeconds: refreshSalesEverySeconds },
  ],
} satisfies Feature;
