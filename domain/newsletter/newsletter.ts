import * as v from "valibot";
import { emailSchema } from "../shared/email-address.ts";

/** Where a shopper can sign up: the footer of every page, and the page after a paid order. */
const signUpPlaces = ["footer", "success"] as const;
/** `import`: the owner imported a consent given elsewhere. */
const consentPlaces = [...signUpPlaces, "import"] as const;
export type ConsentPlace = (typeof consentPlaces)[number];

/** Why an address gets no more newsletters. `erased`: the subscriber's data was deleted on request. */
const optoutReasons = ["unsubscribed", "bounced", "complained", "erased"] as const;
export type OptoutReason = (typeof optoutReasons)[number];

export const signUpSchema = v.object({
  email: emailSchema,
  place: v.optional(v.picklist(signUpPlaces, `One of ${signUpPlaces.join(", ")}`), "footer"),
});
export type SignUp = v.InferOutput<typeof signUpSchema>;

/** A discount code for new subscribers, with its effect in a sentence. */
export const welcomeOfferSchema = v.object({ code: v.string(), sentence: v.string() });
export type WelcomeOffer = v.InferOutput<typeof welcomeOfferSchema>;

export const subscriberStates = ["confirmed", "unconfirmed", "unsubscribed"] as const;
export type SubscriberState = (typeof subscriberStates)[number];

/** A subscriber in the panel. Times ISO 8601 UTC. */
export const subscriberSchema = v.object({
  id: v.number(),
  email: v.string(),
  state: v.picklist(subscriberStates),
  /** When the subscriber signed up, before confirming. */
  askedAt: v.string(),
  place: v.picklist(consentPlaces),
  /** The text that the subscriber agreed to; for an imported subscriber, the proof of consent. */
  consentText: v.string(),
  confirmedAt: v.nullable(v.string()),
  /** The network of the confirmation: an IPv4 /24 or IPv6 /48. */
  confirmedNetwork: v.nullable(v.string()),
  unsubscribedAt: v.nullable(v.string()),
  /** Why the subscription ended. */
  endReason: v.nullable(v.picklist(optoutReasons)),
  welcomeCode: v.nullable(v.string()),
});
export type Subscriber = v.InferOutput<typeof subscriberSchema>;

export const subscriberPageSchema = v.object({
  data: v.array(subscriberSchema),
  /** Counts of all subscribers, independent of the search. */
  counts: v.object(v.entriesFromList(subscriberStates, v.number())),
  nextCursor: v.nullable(v.string()),
});
