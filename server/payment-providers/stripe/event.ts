import { Stripe } from "stripe";
import * as v from "valibot";
import { type EventKind, InvalidSignature, type ProviderEvent, WrongMode } from "../provider.ts";
import { orderIdIn, type ShopId } from "./metadata.ts";

/** Highest accepted age of an event. Must not be 0, which would disable the check. */
const toleranceSeconds = 300;

/**
 * Reads an event with a valid signature and age. Throws InvalidSignature otherwise, and WrongMode for a test event in live
 * mode or a live event in test mode. Unknown types are read as far as possible.
 */
export function parseStripeEvent(
  rawBody: string,
  signature: string,
  { webhookSecret, isLive, shopId = null }: { webhookSecret: string; isLive: boolean; shopId?: ShopId },
): ProviderEvent {
  const event = toEvent(verifyAndParse(rawBody, signature, webhookSecret), shopId);
  if (!event) throw new InvalidSignature("The body is not an event");
  if (event.livemode !== isLive) {
    throw new WrongMode(
      `A ${event.livemode ? "live" : "test"} event arrived, but the keys are ${isLive ? "live" : "test"} keys`,
    );
  }
  return event;
}

/** The parts of a Stripe event that the shop stores; null if `json` is not an event. */
export function toEvent(json: unknown, shopId: ShopId): ProviderEvent | null {
  const event = v.safeParse(eventSchema, json);
  if (!event.success) return null;
  const { id, type, livemode, created, data } = event.output;
  return {
    id,
    type,
    livemode,
    createdAt: new Date(created * 1000),
    objectId: data.object.id,
    intentId: eventIntentId(data.object),
    chargeId: data.object.last_payment_error?.charge ?? null,
    orderId: orderIdIn(data.object.metadata, shopId),
  };
}

function verifyAndParse(rawBody: string, signature: string, webhookSecret: string): unknown {
  try {
    return Stripe.webhooks.constructEvent(rawBody, signature, webhookSecret, toleranceSeconds);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) {
      throw new InvalidSignature("The body is not an event");
    }
    // Only the first sentence: the SDK appends links to its documentation.
    throw new InvalidSignature(error.message.split(/[.\n]/)[0]);
  }
}

/** Id of an object's payment: the object itself, or the payment that it refers to. */
function eventIntentId(object: v.InferOutput<typeof objectSchema>): string | null {
  return object.object === "payment_intent" ? object.id : object.payment_intent;
}

/** Short text that PostgreSQL can store. */
const shortText = v.pipe(v.string(), v.maxLength(255), v.excludes("\0"));

const objectSchema = v.object({
  // Some objects, such as a balance, have no id; like all unknown objects, they are stored and ignored.
  id: v.optional(shortText, "none"),
  object: v.fallback(v.string(), ""),
  payment_intent: v.fallback(
    v.nullable(
      v.union([
        shortText,
        v.pipe(
          v.object({ id: shortText }),
          v.transform(({ id }) => id),
        ),
      ]),
    ),
    null,
  ),
  last_payment_error: v.fallback(v.nullish(v.object({ charge: v.nullish(shortText) })), null),
  metadata: v.fallback(v.nullish(v.record(v.string(), v.pipe(v.string(), v.excludes("\0")))), null),
});

const eventSchema = v.object({
  id: shortText,
  type: shortText,
  livemode: v.fallback(v.boolean(), false),
  /** Seconds, up to the year 9999. */
  created: v.pipe(v.number(), v.minValue(0), v.maxValue(253_402_300_799)),
  data: v.object({ object: objectSchema }),
});

const neededEvents = {
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
  ...neededEvents,
  // The result of a slow payment. Its intent has events, too, but an endpoint may subscribe only to the events of pages.
  "checkout.session.async_payment_succeeded": "page_completed",
  "checkout.session.async_payment_failed": "page_expired",
  "radar.early_fraud_warning.updated": "fraud_warning",
};

/** Event types to which the webhook at Stripe must subscribe, and which are read from Stripe's list. */
export const neededEventTypes: string[] = Object.keys(neededEvents);
