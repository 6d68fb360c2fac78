import { eq } from "drizzle-orm";
import { orders } from "../orders/tables.ts";
import { addJob, moreToDo, type Task, task } from "../platform/jobs.ts";
import { catchUp } from "./catch-up.ts";
import { cancelUnpaidNow, closePayment, expireOrders, giveUpOthers } from "./close.ts";
import { syncDisputesOf } from "./disputes.ts";
import { workEvent } from "./events.ts";
import {
  catchUpJob,
  closeDeclinedJob,
  endFailedJob,
  expireOrdersJob,
  finishOpeningsJob,
  giveUpOthersJob,
  nightlyMoneyCheckJob,
  reconcileJob,
  runMoneyCheckJob,
  sendRefundJob,
  syncDisputesJob,
  syncRefundsJob,
  workPaymentEvent,
} from "./job-kinds.ts";
import { runMoneyCheck } from "./money-check.ts";
import { checkNightly } from "./money-check-nightly.ts";
import { finishOpenings } from "./opening.ts";
import type { PaymentParts } from "./parts.ts";
import { reconcile } from "./reconcile.ts";
import type { SandboxProvider } from "./sandbox.ts";
import { sendRefund } from "./send-refund.ts";
import { syncOrLeave } from "./sync-refunds.ts";

/** Tries given to an event whose order is not visible yet; by then (about a minute) it is missing for good. */
const orderVisibleTries = 5;

export function paymentTasks(parts: PaymentParts): Task[] {
  return [
    task(workPaymentEvent, ({ eventId }, { attempt }) =>
      workEvent(parts, eventId, attempt >= orderVisibleTries),
    ),
    task(sendRefundJob, ({ refundId }) => sendRefund(parts, refundId)),
    task(syncRefundsJob, async ({ intentId }) => {
      await syncOrLeave(parts, intentId);
    }),
    task(syncDisputesJob, ({ intentId }) => syncDisputesOf(parts, intentId)),
    task(runMoneyCheckJob, ({ checkId }, context) => runMoneyCheck(parts, checkId, context)),
    task(endFailedJob, ({ orderId }) =>
      cancelUnpaidNow(parts, orderId, { actor: "system", note: "The payment failed" }),
    ),
    task(closeDeclinedJob, async ({ intentId }) => {
      await closePayment(parts, { intentId, orderId: null });
    }),
    task(finishOpeningsJob, async () => {
      await finishOpenings(parts);
    }),
    task(giveUpOthersJob, async ({ orderId }) => {
      const [order] = await parts.db.select().from(orders).where(eq(orders.id, orderId));
      if (order) await giveUpOthers(parts, { visitorId: order.visitorId, email: order.email, orderId });
    }),
  ];
}

/** How long one run goes on ending orders (ms); the next begins at once where more are left. */
const expireMs = 45_000;

/** Runs at start and every few minutes. */
export function expireTask(parts: PaymentParts): Task {
  return task(expireOrdersJob, async (_, { signal }) => {
    const expired = await expireOrders(parts, { signal, ms: expireMs });
    if (expired.looked > 0) parts.log.info({ expired }, "unpaid orders expired");
    return expired.isCutShort ? moreToDo : undefined;
  });
}

/** Runs at start and every few minutes. The sandbox sends its undelivered events again then, as Stripe would. */
export function reconcileTask(parts: PaymentParts, sandbox: SandboxProvider | null): Task {
  return task(reconcileJob, async (_, { signal }) => {
    await parts.provider.learnAccount();
    await sandbox?.deliverPending();
    await addJob(parts.db, finishOpeningsJob, {}, { key: finishOpeningsJob.name });
    const reconciled = await reconcile(parts, { signal });
    if (reconciled.moved + reconciled.flagged + reconciled.failed > 0) {
      parts.log.info({ reconciled }, "payments reconciled");
    }
  });
}

/** Runs at start and every few minutes. */
export function catchUpTask(parts: PaymentParts, everySeconds: number): Task {
  return task(catchUpJob, async (_, { signal }) => {
    const caughtUp = await catchUp(parts, { signal, everySeconds });
    if (caughtUp.news + caughtUp.worked + caughtUp.again > 0) {
      parts.log.info({ caughtUp }, "caught up on events that no webhook delivered");
    }
    return caughtUp.isCutShort ? moreToDo : undefined;
  });
}

export const nightlyMoneyCheckEverySeconds = 60 * 60;

/** Looks every hour whether the money check of the night is due. */
export function nightlyMoneyCheckTask(parts: PaymentParts & { timeZone(): Promise<string> }): Task {
  return task(nightlyMoneyCheckJob, async () => {
    await checkNightly(parts);
  });
}
