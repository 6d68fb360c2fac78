import type { EventKind } from "../provider.ts";

const needed = {
  "payment_intent.succeeded": "payment_succeeded",
  "payment_intent.processing": "payment_processing",
  "payment_intent.canceled": "payment_cancelled",
  "payment_intent.payment_failed": "payment_declined",
  "checkout.session.completed": "page_completed",
  "checkout.session.expired": "page_expired",
  "charge.refunded": "refund_changed",
  "charge.refund.updated": "refund_changed",
  "refund.created": "refund_changed",
  "refund.updated": "refund_changed",
  "refund.failed": "refund_changed",
  "charge.dispute.created": "dispute_changed",
  "charge.dispute.updated": "dispute_changed",
  "charge.dispute.closed": "dispute_closed",
  "charge.dispute.funds_withdrawn": "dispute_changed",
  "charge.dispute.funds_reinstated": "dispute_changed",
  "radar.early_fraud_warning.created": "fraud_warning",
  "review.opened": "review_opened",
  "review.closed": "review_closed",
} as const satisfies Record<string, EventKind>;

/** The shop's kind of event by Stripe's event type. */
export const stripeEventKinds: Record<string, EventKind> = {
  ...needed,
  "radar.early_fraud_warning.updated": "fraud_warning",
};

/** Event types that the webhook at Stripe must subscribe to, and that are read from Stripe's list. */
export const neededEventTypes: string[] = Object.keys(needed);
