import * as v from "valibot";
import { emailSchema } from "../shared/email-address.ts";
import { requiredLine, requiredText } from "../shared/required-text.ts";

/** Subject in the API -> its label. */
export const contactSubjects = {
  order: "Order Question",
  product: "Product Information",
  wholesale: "Wholesale Inquiry",
  other: "Other",
  "Contact Form Submission": "Contact Form Submission",
} as const;
export type ContactSubject = keyof typeof contactSubjects;

/** Subjects in the full form, the first preselected. The simple form always sends `simpleSubject`. */
export const offeredSubjects = ["order", "product", "wholesale", "other"] as const;
export const simpleSubject: ContactSubject = "Contact Form Submission";

export const maxContactNameLength = 200;
export const maxContactMessageLength = 5000;

const contactSubjectSchema = v.picklist(
  Object.keys(contactSubjects) as ContactSubject[],
  "Choose one of the subjects",
);

export const contactFormSchema = v.object({
  name: requiredLine(maxContactNameLength, "Enter your name"),
  email: emailSchema,
  subject: contactSubjectSchema,
  message: requiredText(maxContactMessageLength, "Enter your message"),
});

/** Body of `POST /api/contact`: the form, and fields that reveal bots. */
export const contactRequestSchema = v.object({
  ...contactFormSchema.entries,
  /** Invisible to people, so only bots fill it in. */
  website: v.optional(
    v.nullable(v.pipe(v.string("Must be text"), v.maxLength(2000, "At most 2000 characters"))),
  ),
  /** Milliseconds the form was open; missing without JavaScript. */
  elapsedMs: v.optional(v.pipe(v.number("Must be a number"), v.minValue(0, "Must not be negative"))),
});
export type ContactRequest = v.InferOutput<typeof contactRequestSchema>;

export const suspicions = ["honeypot", "too_fast"] as const;
export type Suspicion = (typeof suspicions)[number];

/** Shortest time in which a person can write a message. */
const humanMs = 1_000;

/** Why a message is suspected to be automatic; null if it is not. */
export function findSuspicion({ website, elapsedMs }: ContactRequest): Suspicion | null {
  if (website) return "honeypot";
  return elapsedMs !== undefined && elapsedMs < humanMs ? "too_fast" : null;
}

/** Response of `POST /api/contact`, in `data`. */
export const contactSentSchema = v.object({ id: v.string(), reference: v.string() });

/** 1001 -> "M-1001", the message's reference for sender and owner. */
export function contactReference(number: number): string {
  return `M-${number}`;
}
