import { evidenceApi } from "../disputes/evidence/api.ts";
import type { Feature } from "../feature.ts";
import { moneyCheckApi } from "../money-check/api.ts";
import { ownerPaymentsApi } from "../order-desk/refunds/api.ts";
import { paymentsApi } from "./api.ts";
import {
  catchUpTask,
  expireTask,
  nightlyMoneyCheckEverySeconds,
  nightlyMoneyCheckTask,
  paymentTasks,
  reconcileTask,
  remindOfDisputesEverySeconds,
  remindOfDisputesTask,
} from "./jobs.ts";
import { paymentsMail } from "./mail.ts";
import { purgeDisputeEvidence, purgePaymentEvents } from "./purge.ts";
import { sandboxApi } from "./sandbox-api.ts";
import { purgeDeclines } from "./settling/declines.ts";

/** The provider's events, and both sides' money held against each other. */
export const paymentsFeature = {
  api: [...paymentsApi, ...sandboxApi, ...moneyCheckApi, ...ownerPaymentsApi, ...evidenceApi],
  tasks: paymentTasks,
  cron: (ctx) => {
    const everySeconds = ctx.config.reconcileEverySeconds;
    return [
      { task: expireTask(ctx), everySeconds },
      { task: reconcileTask(ctx), everySeconds },
      { task: catchUpTask(ctx, everySeconds), everySeconds },
      { task: nightlyMoneyCheckTask(ctx), everySeconds: nightlyMoneyCheckEverySeconds },
      { task: remindOfDisputesTask(ctx), everySeconds: remindOfDisputesEverySeconds },
    ];
  },
  mail: paymentsMail,
  purges: [purgePaymentEvents, purgeDeclines, purgeDisputeEvidence],
} satisfies Feature;
