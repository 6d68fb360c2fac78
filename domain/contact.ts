import * as v from "valibot";

/** What a message is about, as the API takes it, and as people read it. */
export const contactSubjects = {
  order: "Order Question",
  product: "Product Information",
  wholesale: "Wholesale Inquiry",
  other: "Other",
  "Contact Form Submission": "Contact Form Submission",
} as const;
export type ContactSubject = keyof typeof contactSubjects;

export const contactMessageMax = 5000;

export const contactSubjectSchema = v.picklist(
  Object.keys(contactSubjects) as ContactSubject[],
  "Choose one of the subjects",
);

/** 1001 -> "M-1001", the reference that sender and owner talk about a message by. */
export function contactReference(number: number): string {
  return `M-${number}`;
}
