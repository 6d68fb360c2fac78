import type { Feature } from "../feature.ts";
import { paymentsApi, sandboxApi } from "./api.ts";
import { purgePaymentEvents } from "./events/read.ts";
import { catchUpTask, expireTask, paymentTasks, reconcileTask, takeUpEventsTask } from "./jobs.ts";
import { paymentsMail } from "./mail.ts";
import { paymentsPersonalData } from "./personal-data.ts";
import { purgeDeclines } from "./settling/declines.ts";

/** Payments of orders: opening, settling, the provider's events, refunds and cancellation. */
export const paymentsFeature = {
  api: [...paymentsApi, ...sandboxApi],
  tasks: paymentTasks,
  cron: (ctx) => {
    const everySeconds = ctx.config.reconcileEverySeconds;
    return [
      takeUpEventsTask(ctx),
      { task: expireTask(ctx), everySeconds },
      { task: reconcileTask(ctx), everySeconds },
      { task: catchUpTask(ctx, everySeconds), everySeconds },
    ];
  },
  mail: paymentsMail,
  purges: [purgePaymentEvents, purgeDeclines],
  personalData: paymentsPersonalData,
} satisfies Feature;
