import { findOrderByPayment } from "../orders/queries.ts";
import { paymentsApi } from "../payments/api.ts";
import { forgetDeclines } from "../payments/declines.ts";
import { forgetPaymentEvents } from "../payments/forget.ts";
import {
  catchUpTask,
  expireTask,
  nightlyMoneyCheckEverySeconds,
  nightlyMoneyCheckTask,
  paymentTasks,
  reconcileTask,
} from "../payments/jobs.ts";
import { moneyCheckApi } from "../payments/money-check-api.ts";
import type { Area, AreaParts } from "./area.ts";

/** The provider's news, and both sides' money held against each other. */
export function paymentsArea({ checkout, config, db, sandbox, settings }: AreaParts): Area {
  const moneyCheck = { ...checkout, timeZone: async () => (await settings.owner()).timeZone };
  return {
    api: [
      ...paymentsApi({
        ...checkout,
        sandbox,
        paymentOf: (visitorId, id) => findOrderByPayment(db, visitorId, id),
      }),
      ...moneyCheckApi(moneyCheck),
    ],
    forgetters: [forgetPaymentEvents, forgetDeclines],
    tasks: paymentTasks(checkout),
    cron: [
      { task: expireTask(checkout), everySeconds: config.reconcileEverySeconds },
      { task: reconcileTask(checkout, sandbox), everySeconds: config.reconcileEverySeconds },
      {
        task: catchUpTask(checkout, config.reconcileEverySeconds),
        everySeconds: config.reconcileEverySeconds,
      },
      { task: nightlyMoneyCheckTask(moneyCheck), everySeconds: nightlyMoneyCheckEverySeconds },
    ],
  };
}
