import * as v from "valibot";
import { checkedEmailSchema } from "../content/emails/email-edit.ts";
import { directionControls, oneLine } from "../shared/required-text.ts";

/**
 * A campaign: one newsletter to subscribers. `scheduled`: it starts automatically at its time.
 * `stopped`: the remaining recipients do not get it.
 */
const campaignStatuses = ["draft", "scheduled", "sending", "sent", "stopped"] as const;
export type CampaignStatus = (typeof campaignStatuses)[number];

/**
 * Only confirmed subscribers get it. `buyers`: subscribers who have bought something; `segment`: buyers that a segment
 * describes.
 */
const audiences = ["subscribers", "buyers", "segment"] as const;
export type Audience = (typeof audiences)[number];

const maxWeeks = 520;

/** Conditions on buyers, all of which must hold. A condition that is null is not applied. */
const segmentSchema = v.object({
  /** Only those with one paid order. */
  boughtOnce: v.optional(v.boolean("Must be true or false"), false),
  /** Only those whose last order is at least this many weeks old. */
  notForWeeks: nullable(number(1, maxWeeks)),
  /** Only those who have bought this product. */
  productId: nullable(number(1, 999_999_999)),
  tag: nullable(v.pipe(v.string("Must be text"), v.trim(), v.toLowerCase(), v.maxLength(40, "Too long"))),
  /** ISO 3166. */
  country: nullable(
    v.pipe(v.string("Must be text"), v.regex(/^[A-Z]{2}$/, "Two capital letters, such as US")),
  ),
});
export type Segment = v.InferOutput<typeof segmentSchema>;
const anyBuyer: Segment = v.parse(segmentSchema, {});

const line = (max: number) =>
  v.pipe(
    v.string("Must be text"),
    v.trim(),
    v.maxLength(max, `At most ${max} characters`),
    oneLine,
    v.check((text) => !directionControls.test(text), "Contains characters that change the direction of text"),
  );

/** The newsletter's texts, product and code. */
const newsletterEntries = {
  subject: line(150),
  /** Shown by inboxes beside the subject. */
  preheader: line(150),
  heading: line(120),
  /** Markdown: paragraphs, lists, bold words and links. */
  body: v.pipe(
    v.string("Must be text"),
    v.maxLength(10_000, "At most 10,000 characters"),
    v.transform((text) => text.replace(/\r\n?/g, "\n").trim()),
  ),
  /** Shown below the text with picture, price and a link. */
  productId: v.nullable(number(1, 999_999_999)),
  buttonLabel: line(40),
  /** A page of the shop ("/story") or an https URL. */
  buttonUrl: v.pipe(
    v.string("Must be text"),
    v.trim(),
    v.maxLength(500, "At most 500 characters"),
    v.regex(/^$|^\/(?![/\\])\S*$|^https:\/\/[^\s@]+$/i, "A page of the shop (/story) or an https:// address"),
  ),
  /** A discount code that the newsletter shows. */
  code: nullable(v.pipe(v.string("Must be text"), v.trim(), v.toUpperCase(), v.maxLength(40, "Too long"))),
  /** Each recipient gets a personal code with the terms of `code`; ignored without `code`. */
  personalCodes: v.optional(v.boolean("Must be true or false"), false),
};

const contentEntries = {
  ...newsletterEntries,
  audience: v.picklist(audiences, `One of ${audiences.join(", ")}`),
  segment: segmentSchema,
};
export type NewsletterText = v.InferOutput<v.ObjectSchema<typeof newsletterEntries, undefined>>;
export type CampaignContent = v.InferOutput<v.ObjectSchema<typeof contentEntries, undefined>>;

export const emptyCampaign: CampaignContent = {
  subject: "",
  preheader: "",
  heading: "",
  body: "",
  productId: null,
  buttonLabel: "",
  buttonUrl: "",
  code: null,
  personalCodes: false,
  audience: "subscribers",
  segment: anyBuyer,
};

/** Body of `POST /api/admin/campaigns`; missing fields are empty. */
export const newCampaignSchema = v.partial(v.object(contentEntries));
/** Body of `PATCH`; `revision` is the one that the change is based on. */
export const campaignChangeSchema = v.partial(
  v.object({ ...contentEntries, revision: number(1, 999_999_999) }),
);
/** `at`: ISO 8601; if missing, it is sent immediately. `revision`: the one that the sender has read; if missing, any is sent. */
export const sendCampaignSchema = v.object({
  revision: v.optional(number(1, 999_999_999)),
  at: v.optional(
    v.nullable(
      v.pipe(
        v.string("Must be a time"),
        v.check((text) => !Number.isNaN(Date.parse(text)), "Must be a time, as 2026-12-01T09:00:00Z"),
        v.transform((text) => new Date(text)),
      ),
    ),
    null,
  ),
});

const figures = {
  /** Before it starts: number of people who would get it now. */
  recipients: v.number(),
  /** Accepted by the mail server, or stored because none is configured. */
  sent: v.number(),
  /** Refused because the address does not exist; these subscriptions have ended. */
  bounced: v.number(),
  /** Unsubscribed within seven days of getting it. */
  left: v.number(),
  /** Orders with its code until seven days after its end, and their revenue in cents, less refunds. */
  orders: v.number(),
  revenue: v.number(),
};

const nullableTime = v.nullable(v.string());
/** A campaign in the panel. Times ISO 8601 UTC. */
export const campaignSchema = v.object({
  id: v.number(),
  revision: v.number(),
  status: v.picklist(campaignStatuses),
  ...contentEntries,
  ...figures,
  /** Number of its personal codes used by paid orders. */
  codesUsed: v.number(),
  /** Reported as spam to the mail provider; these subscriptions have ended. */
  complained: v.number(),
  /** Still to be sent. */
  waiting: v.number(),
  /** Permanently refused by the mail server for a reason other than the address. */
  failed: v.number(),
  /** The shop stopped while sending to them. They may have got it, so it is not sent again. */
  unknown: v.number(),
  scheduledAt: nullableTime,
  startedAt: nullableTime,
  endedAt: nullableTime,
  createdAt: v.string(),
  /** Why it is waiting, was stopped by the shop, or was only stored (`sent` without a mail server). */
  problem: v.nullable(v.string()),
});
export type Campaign = v.InferOutput<typeof campaignSchema>;

/** E-mails that are sent automatically. */
export const automaticKinds = ["newsletter_welcome", "refill_reminder", "cart_reminder"] as const;
export type AutomaticKind = (typeof automaticKinds)[number];
/** Number of days that their figures cover, up to now. */
export const automaticDays = 30;

/** Figures of an automatic kind. `left` null if unknown: the welcome e-mail shares its subscription with the newsletters. */
const automaticSchema = v.object({
  kind: v.picklist(automaticKinds),
  ...figures,
  left: v.nullable(v.number()),
});
export type AutomaticFigures = v.InferOutput<typeof automaticSchema>;

export const campaignPageSchema = v.object({
  data: v.array(campaignSchema),
  nextCursor: v.nullable(v.string()),
  automatic: v.array(automaticSchema),
});

/** Data of the editor besides the campaign. */
export const campaignFactsSchema = v.object({
  /** Maximum number of newsletters sent in a minute. */
  perMinute: v.number(),
  /** Whether newsletters are sent; otherwise they are only stored. */
  sendsEmail: v.boolean(),
  hasPostalAddress: v.boolean(),
  products: v.array(v.object({ id: v.number(), name: v.string() })),
  codes: v.array(v.object({ code: v.string(), sentence: v.string() })),
});

/** Body of `POST /api/admin/campaigns/check`. */
export const checkCampaignSchema = v.object(contentEntries);
/** `recipients`: number of people who would get it now. */
export const checkedCampaignSchema = v.object({ ...checkedEmailSchema.entries, recipients: v.number() });

/** How long it takes to send that many newsletters: "1 h 23 min". */
export function sendingTime(count: number, perMinute: number): string {
  const minutes = Math.max(1, Math.ceil(count / perMinute));
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

function number(min: number, max: number) {
  return v.pipe(v.number("Must be a number"), v.integer("Must be whole"), v.minValue(min), v.maxValue(max));
}

function nullable<Schema extends v.GenericSchema>(schema: Schema) {
  return v.optional(v.nullable(schema), null);
}
