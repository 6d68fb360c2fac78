import type { Feature } from "../feature.ts";
import { paymentsApi } from "./api.ts";
import {
  catchUpTask,
  expireTask,
  nightlyMoneyCheckEverySeconds,
  nightlyMoneyCheckTask,
  paymentTasks,
  reconcileTask,
} from "./jobs.ts";
import { paymentsMail } from "./mail.ts";
import { moneyCheckApi } from "./money-check/api.ts";
import { ownerPaymentsApi } from "./owner-api.ts";
import { forgetPaymentEvents } from "./purge.ts";
import { forgetDeclines } from "./settling/declines.ts";

/** The provider's news, and both sides' money held against each other. */
export const paymentsFeature = {
  api: (ctx) => [...paymentsApi(ctx), ...moneyCheckApi(ctx), ...ownerPaymentsApi(ctx)],
  tasks: paymentTasks,
  cron: (ctx) => {
    const everySeconds = ctx.config.reconcileEverySeconds;
    return [
      { task: expireTask(ctx), everySeconds },
      { task: reconcileTask(ctx, ctx.sandbox), everySeconds },
      { task: catchUpTask(ctx, everySeconds), everySeconds },
      { task: nightlyMoneyCheckTask(ctx), everySeconds: nightlyMoneyCheckEverySeconds },
    ];
  },
  mail: paymentsMail,
  purges: [
    function purgePaymentEvents({ db, now }) {
      return forgetPaymentEvents(db, now());
    },
    function purgeDeclines({ db, now }) {
      return forgetDeclines(db, now());
    },
  ],
} satisfies Feature;
