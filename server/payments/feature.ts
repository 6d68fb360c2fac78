import { eq, inArray } from "drizzle-orm";
import { pick } from "../../domain/shared/pick.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { orders } from "../orders/tables.ts";
import { ProviderUnavailable } from "../payment-providers/provider.ts";
import type { Db } from "../platform/database/database.ts";
import { addJob, moreToDo, type RecurringTask, recurring, type Task, task } from "../platform/jobs/jobs.ts";
import { paymentsApi, sandboxApi } from "./api.ts";
import { cancelSuperseded, cancelUnpaidNow, closePayment, expireOrders } from "./cancellation/close.ts";
import { catchUpEvents } from "./events/catch-up.ts";
import { handleEvent, requeueLostEvents } from "./events/handle.ts";
import { purgePaymentEvents } from "./events/read.ts";
import {
  cancelSupersededJob,
  closeDeclinedJob,
  endFailedJob,
  finishOpeningsJob,
  handlePaymentEventJob,
  sendRefundJob,
  syncRefundsJob,
} from "./job-kinds.ts";
import { paymentsMail } from "./mail.ts";
import { finishOpenings } from "./opening/finish-openings.ts";
import { sendRefund } from "./refunds/send.ts";
import { syncRefundsIfReachable } from "./refunds/sync.ts";
import { purgeDeclines } from "./settling/declines.ts";
import { reconcile } from "./settling/reconcile.ts";
import { payments, refunds } from "./tables.ts";

/** Opens, settles, refunds and cancels payments of orders, and handles the provider's events. */
export const paymentsFeature = {
  api: [...paymentsApi, ...sandboxApi],
  tasks: paymentTasks,
  cron: recurringPaymentTasks,
  mail: paymentsMail,
  purges: [purgePaymentEvents, purgeDeclines],
  personalData: {
    ofOrder: async (db, orderId) => ({ payments: await exportPayments(db, orderId) }),
    /** Erases the payment method and the reasons for refunds; amounts, statuses and dates stay. */
    async eraseOrders(tx, orderIds) {
      await tx.update(payments).set({ paidWith: null }).where(inArray(payments.orderId, orderIds));
      await tx.update(refunds).set({ reason: null }).where(inArray(refunds.orderId, orderIds));
    },
  },
} satisfies Feature;

async function exportPayments(db: Db, orderId: string) {
  return db
    .select({
      ...pick(payments, "provider", "status", "amountCents", "currency", "createdAt"),
      reference: payments.intentId,
    })
    .from(payments)
    .where(eq(payments.orderId, orderId))
    .orderBy(payments.id);
}

/** Number of attempts to handle an event whose order is not visible yet; they span about a minute. */
const maxVisibilityAttempts = 5;

function paymentTasks(ctx: ShopContext): Task[] {
  return [
    task(handlePaymentEventJob, ({ eventId }, { attempt }) =>
      handleEvent(ctx, eventId, attempt >= maxVisibilityAttempts),
    ),
    task(sendRefundJob, ({ refundId }) => sendRefund(ctx, refundId)),
    task(syncRefundsJob, async ({ intentId }) => {
      await syncRefundsIfReachable(ctx, intentId);
    }),
    task(endFailedJob, ({ orderId }) =>
      cancelUnpaidNow(ctx, orderId, { actor: "system", note: "The payment failed" }),
    ),
    task(closeDeclinedJob, async ({ intentId }) => {
      await closePayment(ctx, { intentId, orderId: null });
    }),
    task(finishOpeningsJob, async () => {
      await finishOpenings(ctx);
    }),
    task(cancelSupersededJob, async ({ orderId }) => {
      const [order] = await ctx.db.select().from(orders).where(eq(orders.id, orderId));
      if (order) await cancelSuperseded(ctx, { visitorId: order.visitorId, email: order.email, orderId });
    }),
  ];
}

/** Longest run of `expire_orders` (ms); if expired orders are left, another run starts immediately. */
const expireMs = 45_000;

function recurringPaymentTasks(ctx: ShopContext): RecurringTask[] {
  const everySeconds = ctx.config.reconcileEverySeconds;
  const shared = { lane: "money", everySeconds } as const;
  return [
    // Queues jobs for events that a crash left unhandled.
    recurring({ name: "take_up_events", ...shared, priority: -10, everySeconds: 5 }, () =>
      requeueLostEvents(ctx),
    ),
    recurring({ name: "expire_orders", ...shared, priority: 5 }, async ({ signal }) => {
      for (const { onExpiryRun } of ctx.paymentHooks) await onExpiryRun?.(ctx);
      const expired = await expireOrders(ctx, { signal, ms: expireMs });
      if (expired.checked > 0) ctx.log.info({ expired }, "unpaid orders expired");
      return expired.isCutShort ? moreToDo : undefined;
    }),
    recurring({ name: "reconcile_payments", ...shared, priority: 0 }, async ({ signal }) => {
      await ctx.provider.loadAccount();
      // The sandbox redelivers its pending events, as Stripe would.
      await ctx.sandbox?.deliverPending();
      await addJob(ctx.db, finishOpeningsJob, {}, { key: finishOpeningsJob.name });
      const { fault, ...reconciled } = await reconcile(ctx, { signal });
      if (reconciled.moved + reconciled.flagged + reconciled.failed > 0) {
        ctx.log.info({ reconciled }, "payments reconciled");
      }
      // If runs keep throwing, the owner is notified. `catch_up_events` reports a provider that does not respond.
      if (fault instanceof ProviderUnavailable ? await ctx.provider.ping() : fault) throw fault;
    }),
    recurring({ name: "catch_up_events", ...shared, priority: 1 }, async ({ signal }) => {
      const caughtUp = await catchUpEvents(ctx, { signal, everySeconds });
      if (caughtUp.added + caughtUp.handled + caughtUp.differing > 0) {
        ctx.log.info({ caughtUp }, "caught up on events that no webhook delivered");
      }
      // While the provider does not respond, no payment is possible: if runs keep throwing, the owner is notified. A go-live check
      // reports missing keys.
      if (!caughtUp.isListed && ctx.provider.publishableKey !== null && !(await ctx.provider.ping()))
        throw new ProviderUnavailable(
          "The payment provider does not answer, or does not accept the shop’s keys",
        );
      return caughtUp.isCutShort ? moreToDo : undefined;
    }),
  ];
}
