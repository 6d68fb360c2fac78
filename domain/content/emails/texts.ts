import type { EmailText } from "./email-text.ts";
import { orderEmails } from "./orders.ts";
import { requestEmails, returnEmails } from "./requests.ts";
import { subscriptionEmails } from "./subscriptions.ts";

/** All e-mails to shoppers by group. The default texts are in `content/emails/`, one file per group. */
export const emailTextGroups = [
  { key: "orders", name: "Orders", texts: orderEmails },
  { key: "returns", name: "Returns and withdrawals", texts: returnEmails },
  { key: "requests", name: "Answers and links", texts: requestEmails },
  { key: "news", name: "Reminders and newsletter", texts: subscriptionEmails },
] as const;

export const emailTexts = { ...orderEmails, ...returnEmails, ...requestEmails, ...subscriptionEmails };
/** An e-mail with editable texts. */
export type EmailTextKind = keyof typeof emailTexts;
export const emailTextKinds = Object.keys(emailTexts) as EmailTextKind[];

export const isEmailTextKind = (kind: string): kind is EmailTextKind => Object.hasOwn(emailTexts, kind);
export const findEmailText = (kind: EmailTextKind): EmailText => emailTexts[kind];

export type FieldsOf<K extends EmailTextKind> = keyof (typeof emailTexts)[K]["fields"] & string;
export type FactsOf<K extends EmailTextKind> = keyof (typeof emailTexts)[K]["facts"] & string;
