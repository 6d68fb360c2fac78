import * as v from "valibot";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { defineJob } from "../platform/jobs/jobs.ts";

/** Work on one recorded event. 12 tries reach over about two days. */
export const workPaymentEvent = defineJob({
  name: "work_payment_event",
  payload: v.object({ eventId: v.string() }),
  lane: "money",
  priority: -10,
  maxAttempts: 12,
});

/** Hand one written refund to the provider. */
export const sendRefundJob = defineJob({
  name: "send_refund",
  payload: v.object({ refundId: uuidSchema }),
  lane: "money",
  priority: -5,
  maxAttempts: 25,
});

/** One waiting job for each refund: asking for it again only brings it forward. */
export function sendRefundKey(refundId: string): string {
  return `send_refund:${refundId}`;
}

/** End unpaid orders whose time is over. */
export const expireOrdersJob = defineJob({
  name: "expire_orders",
  payload: v.object({}),
  lane: "money",
  priority: 5,
  maxAttempts: 1,
});

/** Ask the provider about what it may know better. */
export const reconcileJob = defineJob({
  name: "reconcile_payments",
  payload: v.object({}),
  lane: "money",
  priority: 0,
  maxAttempts: 1,
});

/** Learn what webhooks did not bring. */
export const catchUpJob = defineJob({
  name: "catch_up_events",
  payload: v.object({}),
  lane: "money",
  priority: 1,
  maxAttempts: 1,
});

/** Close a payment for which too many cards were declined. */
export const closeDeclinedJob = defineJob({
  name: "close_declined",
  payload: v.object({ intentId: v.string() }),
  lane: "money",
  priority: -5,
  maxAttempts: 12,
});

/** Close the payment page of an order edit that has ended. Queued jobs keep its older name. */
export const closeEditPaymentJob = defineJob({
  name: "close_change_payment",
  payload: v.object({ changeId: uuidSchema }),
  lane: "money",
  priority: -5,
  maxAttempts: 12,
});

/** Find what the provider made of calls that were not answered. */
export const finishOpeningsJob = defineJob({
  name: "finish_openings",
  payload: v.object({}),
  lane: "money",
  priority: 5,
  maxAttempts: 3,
});

/** Cancels the superseded orders of a buyer who has paid. */
export const cancelSupersededJob = defineJob({
  name: "give_up_others",
  payload: v.object({ orderId: uuidSchema }),
  lane: "money",
  priority: 5,
  maxAttempts: 5,
});

/** End an order whose payment failed after its time to pay. */
export const endFailedJob = defineJob({
  name: "end_failed_payment",
  payload: v.object({ orderId: uuidSchema }),
  lane: "money",
  priority: 5,
  maxAttempts: 5,
});

/** Bring an order's refunds in line with the provider's. */
export const syncRefundsJob = defineJob({
  name: "sync_refunds",
  payload: v.object({ intentId: v.string() }),
  lane: "money",
  priority: -5,
  maxAttempts: 12,
});

/** Bring a payment's disputes in line with the provider's. */
export const syncDisputesJob = defineJob({
  name: "sync_disputes",
  payload: v.object({ intentId: v.string() }),
  lane: "money",
  priority: -5,
  maxAttempts: 12,
});
