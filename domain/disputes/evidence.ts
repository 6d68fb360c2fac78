import * as v from "valibot";
import { disputeSchema } from "./dispute.ts";

/** Text fields of evidence, with the provider's maximum length. */
export const evidenceTexts = {
  customerName: { label: "Customer’s name", max: 200 },
  customerEmailAddress: { label: "Customer’s email", max: 320 },
  customerPurchaseIp: { label: "Network address of the purchase (IP)", max: 60 },
  billingAddress: { label: "Billing address", max: 500 },
  productDescription: { label: "What was sold", max: 20_000 },
  shippingAddress: { label: "Shipped to", max: 500 },
  shippingCarrier: { label: "Carrier", max: 200 },
  shippingDate: { label: "Shipped on", max: 200 },
  shippingTrackingNumber: { label: "Tracking number", max: 500 },
  refundPolicyDisclosure: { label: "How the customer was shown the returns policy", max: 20_000 },
  refundRefusalExplanation: { label: "Why no (further) refund is due", max: 20_000 },
  cancellationPolicyDisclosure: { label: "How the customer was told about cancelling", max: 20_000 },
  cancellationRebuttal: { label: "Why the order was not cancelled", max: 20_000 },
  duplicateChargeId: { label: "Payment id of the other charge", max: 200 },
  duplicateChargeExplanation: { label: "Why these are two separate purchases", max: 20_000 },
  accessActivityLog: { label: "Log of the customer’s visits or use", max: 20_000 },
  uncategorizedText: { label: "What happened, in your words", max: 20_000 },
} as const;
export type EvidenceText = keyof typeof evidenceTexts;
export const evidenceTextNames = Object.keys(evidenceTexts) as EvidenceText[];

/** File fields of evidence: one file each. */
export const evidenceSlots = {
  receipt: "Receipt",
  customerCommunication: "Messages with the customer",
  shippingDocumentation: "Proof of shipping or delivery",
  refundPolicy: "Returns policy",
  cancellationPolicy: "Cancellation policy",
  customerSignature: "Customer’s signature",
  duplicateChargeDocumentation: "Receipt of the other charge",
  serviceDocumentation: "Proof of a service",
  uncategorizedFile: "Anything else",
} as const;
export type EvidenceSlot = keyof typeof evidenceSlots;
export const evidenceSlotNames = Object.keys(evidenceSlots) as EvidenceSlot[];

export const evidenceFileTypes = ["application/pdf", "image/jpeg", "image/png"] as const;
export type EvidenceFileType = (typeof evidenceFileTypes)[number];

/** The provider's limits: characters of all texts, bytes of all files. Banks read at most 50 pages, those of Mastercard 19. */
export const evidenceLimits = { characters: 150_000, bytes: 4_500_000, pages: 50, mastercardPages: 19 };

/** The type of a file, from its first bytes; null if it is not accepted. */
export function evidenceFileType(bytes: Uint8Array): EvidenceFileType | null {
  const startsWith = (...prefix: number[]) => prefix.every((byte, index) => bytes[index] === byte);
  if (startsWith(0x25, 0x50, 0x44, 0x46, 0x2d)) return "application/pdf";
  if (startsWith(0xff, 0xd8, 0xff)) return "image/jpeg";
  return startsWith(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) ? "image/png" : null;
}

const textSchema = (max: number) =>
  v.optional(
    v.pipe(
      v.string("Must be text"),
      v.transform((text) => text.replaceAll("\r\n", "\n").trim()),
      v.maxLength(max, `Use at most ${max.toLocaleString("en-US")} characters`),
    ),
    "",
  );
const textEntries = Object.fromEntries(
  evidenceTextNames.map((name) => [name, textSchema(evidenceTexts[name].max)]),
) as Record<EvidenceText, ReturnType<typeof textSchema>>;

/** All texts; "" if a text is missing. */
const evidenceTextsSchema = v.object(textEntries);
export type EvidenceTexts = v.InferOutput<typeof evidenceTextsSchema>;

export const revisionSchema = v.pipe(
  v.number("Must be a number"),
  v.integer("Must be a whole number"),
  v.minValue(1, "Must be 1 or more"),
);

/** `revision`: the revision of the evidence that the change is based on. */
export const evidenceChangeSchema = v.object({
  revision: revisionSchema,
  texts: v.pipe(
    evidenceTextsSchema,
    v.check(
      (texts) => countCharacters(texts) <= evidenceLimits.characters,
      `Use at most ${evidenceLimits.characters.toLocaleString("en-US")} characters in all`,
    ),
  ),
});

function countCharacters(texts: EvidenceTexts): number {
  return evidenceTextNames.reduce((sum, name) => sum + texts[name].length, 0);
}

const evidenceFileSchema = v.object({
  id: v.string(),
  slot: v.picklist(evidenceSlotNames),
  name: v.string(),
  type: v.picklist(evidenceFileTypes),
  size: v.number(),
  /** `shop`: generated from the order. */
  origin: v.picklist(["shop", "upload"]),
});
export type EvidenceFile = v.InferOutput<typeof evidenceFileSchema>;

/** The shop's answer to a dispute, editable until it is sent. Times ISO 8601 UTC. */
const evidenceSchema = v.object({
  status: v.picklist(["draft", "sending", "sent"]),
  revision: v.number(),
  texts: evidenceTextsSchema,
  files: v.array(evidenceFileSchema),
  /** The provider's reason for its last refusal. */
  failure: v.nullable(v.string()),
  changedAt: v.string(),
  sentAt: v.nullable(v.string()),
});
export type Evidence = v.InferOutput<typeof evidenceSchema>;

/** A dispute with its evidence, and the actions possible now. */
export const disputePageSchema = v.object({
  dispute: disputeSchema,
  order: v.object({
    id: v.string(),
    number: v.number(),
    totalCents: v.number(),
    refundableCents: v.number(),
    /** Whether the order has a parcel that shipped. */
    hasShipped: v.boolean(),
  }),
  customerName: v.string(),
  /** Null if none was written, or it was deleted at the end of its retention. */
  evidence: v.nullable(evidenceSchema),
  /** Why it cannot be answered from the panel; null if it can. */
  problem: v.nullable(v.string()),
  /** The server's time, for consistent counts of days. */
  now: v.string(),
});
export type DisputePage = v.InferOutput<typeof disputePageSchema>;

const hourMs = 60 * 60 * 1000;

/** "6 days left", "5 hours left"; null after the deadline. */
export function timeLeft(until: string, now: string): string | null {
  const hours = (Date.parse(until) - Date.parse(now)) / hourMs;
  if (hours <= 0) return null;
  if (hours < 1) return "less than an hour left";
  const days = Math.floor(hours / 24);
  const [count, unit] = days > 0 ? [days, "day"] : [Math.floor(hours), "hour"];
  return `${count} ${unit}${count === 1 ? "" : "s"} left`;
}
