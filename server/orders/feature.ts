import type { Feature } from "../feature.ts";
import { addUpEverySeconds, orderCountsTask } from "./counts.ts";
import { lookupTask, purgeLookups } from "./lookup.ts";
import { orderMail } from "./mail.ts";
import { detachExpiredVisitors, ordersPersonalData, purgeUnpaidOrders } from "./personal-data.ts";

/** The record of orders. */
export const ordersFeature = {
  tasks: (ctx) => [lookupTask(ctx)],
  cron: (ctx) => [{ task: orderCountsTask(ctx), everySeconds: addUpEverySeconds }],
  mail: orderMail,
  personalData: ordersPersonalData,
  purges: [purgeLookups, detachExpiredVisitors, purgeUnpaidOrders],
} satisfies Feature;
