import * as v from "valibot";

/** Events that webhooks can receive, with their labels for the owner. */
export const webhookEvents = {
  "order.paid": "Order paid",
  "order.edited": "Paid order edited",
  "order.shipped": "Order fully shipped",
  "order.delivered": "Order delivered",
  "order.cancelled": "Order cancelled",
  "refund.succeeded": "Refund completed",
  "return.requested": "Return requested",
  "dispute.opened": "Dispute opened",
  "product.updated": "Product changed",
  "stock.low": "Low stock",
  "review.published": "Review published",
  "subscriber.confirmed": "Subscriber confirmed",
} as const;
export type WebhookEvent = keyof typeof webhookEvents;
export const webhookEventNames = Object.keys(webhookEvents) as [WebhookEvent, ...WebhookEvent[]];

/** The event of a test, which any webhook can receive. */
export const testEvent = "webhook.test";
export const maxWebhooks = 20;
/** Hours after a rotation for which deliveries are also signed with the old secret. */
export const oldSecretHours = 24;
/** Days for which a delivery is retried; then the webhook is switched off. */
export const retryDays = 3;

/** Times ISO 8601 UTC. */
export const webhookSchema = v.object({
  id: v.string(),
  url: v.string(),
  events: v.array(v.picklist(webhookEventNames)),
  active: v.boolean(),
  createdAt: v.string(),
  /** When the shop switched it off because it had not responded for days; null if it did not. */
  switchedOffAt: v.nullable(v.string()),
  /** Until when deliveries are also signed with the old secret; null if there is no old one. */
  oldSecretUntil: v.nullable(v.string()),
  /** Number of deliveries that wait for their first or next attempt. */
  waiting: v.number(),
  /** The error of the latest attempt; null if it succeeded, or there was none. */
  lastError: v.nullable(v.string()),
});
export type Webhook = v.InferOutput<typeof webhookSchema>;

/** `secret`: shown once, for the receiver to verify signatures with. */
export const withSecretSchema = v.object({ ...webhookSchema.entries, secret: v.string() });
export const changedWebhookSchema = v.object({ ...webhookSchema.entries, secret: v.optional(v.string()) });

const url = v.pipe(
  v.string("Enter an address"),
  v.trim(),
  v.minLength(1, "Enter an address"),
  v.maxLength(500, "At most 500 characters"),
);
const events = v.pipe(
  v.array(v.picklist(webhookEventNames, "There is no such event")),
  v.minLength(1, "Choose at least one event"),
  v.transform((names) => webhookEventNames.filter((name) => names.includes(name))),
);
export const newWebhookSchema = v.object({ url, events });
export const webhookChangeSchema = v.object({
  url: v.optional(url),
  events: v.optional(events),
  active: v.optional(v.boolean("Must be true or false")),
  /** Creates a new secret, which the response contains. */
  rotateSecret: v.optional(v.literal(true)),
});

const deliveryAttemptSchema = v.object({
  at: v.string(),
  /** The receiver's HTTP status; null if it did not respond. */
  status: v.nullable(v.number()),
  /** Why it counts as failed; null if it succeeded. */
  error: v.nullable(v.string()),
  /** The beginning of the receiver's response. */
  answer: v.optional(v.string()),
});
export type DeliveryAttempt = v.InferOutput<typeof deliveryAttemptSchema>;

export const deliverySchema = v.object({
  /** Also the header `webhook-id`. */
  id: v.string(),
  type: v.string(),
  status: v.picklist(["waiting", "delivered", "failed"]),
  attempts: v.array(deliveryAttemptSchema),
  createdAt: v.string(),
  /** Null if no attempt is due. */
  nextTryAt: v.nullable(v.string()),
  /** The exact body of the request. */
  body: v.string(),
});
export type Delivery = v.InferOutput<typeof deliverySchema>;
