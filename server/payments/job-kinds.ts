import * as v from "valibot";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { defineJob } from "../platform/jobs/jobs.ts";

/** Handles one stored event. 12 attempts span about two days. */
export const handlePaymentEventJob = defineJob({
  name: "work_payment_event",
  payload: v.object({ eventId: v.string() }),
  lane: "money",
  priority: -10,
  maxAttempts: 12,
});

/** Sends one stored refund to the provider. */
export const sendRefundJob = defineJob({
  name: "send_refund",
  payload: v.object({ refundId: uuidSchema }),
  lane: "money",
  priority: -5,
  maxAttempts: 25,
});

/** Key that allows one waiting job per refund: adding the job again can only make it run earlier. */
export function sendRefundKey(refundId: string): string {
  return `send_refund:${refundId}`;
}

const paymentJob = { lane: "money", priority: -5, maxAttempts: 12 } as const;

/** Closes a payment after too many declined cards. */
export const closeDeclinedJob = defineJob({
  name: "close_declined",
  payload: v.object({ intentId: v.string() }),
  ...paymentJob,
});

/** Closes the open payment page of an order edit or exchange. */
export const closeChangePaymentJob = defineJob({
  name: "close_change_payment",
  payload: v.object({ changeId: uuidSchema }),
  ...paymentJob,
});

/** Ends an exchange that has become impossible, and closes its payment page. */
export const endExchangeJob = defineJob({
  name: "end_exchange",
  /** With `why`, the exchange is ended even if it is still possible, with this message as the reason. */
  payload: v.object({ exchangeId: uuidSchema, why: v.optional(v.string()) }),
  ...paymentJob,
});

/** Finds payments that the provider created although its response was lost. */
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

/** Ends an order whose payment failed after the order had expired. */
export const endFailedJob = defineJob({
  name: "end_failed_payment",
  payload: v.object({ orderId: uuidSchema }),
  lane: "money",
  priority: 5,
  maxAttempts: 5,
});

/** Syncs an order's refunds with the provider. */
export const syncRefundsJob = defineJob({
  name: "sync_refunds",
  payload: v.object({ intentId: v.string() }),
  ...paymentJob,
});

/** Syncs a payment's disputes with the provider. */
export const syncDisputesJob = defineJob({
  name: "sync_disputes",
  payload: v.object({ intentId: v.string() }),
  ...paymentJob,
});
