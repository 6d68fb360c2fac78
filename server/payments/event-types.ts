/** The events that mean something to the shop (see events.ts): what its webhook at the provider has to be sent. */
export const neededEventTypes = [
  "payment_intent.succeeded",
  "payment_intent.processing",
  "payment_intent.canceled",
  "payment_intent.payment_failed",
  "checkout.session.completed",
  "checkout.session.expired",
  "charge.refunded",
  "charge.refund.updated",
  "refund.created",
  "refund.updated",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.funds_reinstated",
];
