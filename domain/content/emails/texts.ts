import type { EmailText } from "./email-text.ts";
import { newsEmails } from "./news.ts";
import { orderEmails } from "./orders.ts";
import { requestEmails } from "./requests.ts";
import { returnEmails } from "./returns.ts";

/** Every e-mail to shoppers, with what its words may name. Shipped words: `content/emails/`, in the file of each group. */
export const emailTextGroups = [
  { key: "orders", name: "Orders", texts: orderEmails },
  { key: "returns", name: "Returns and withdrawals", texts: returnEmails },
  { key: "requests", name: "Answers and links", texts: requestEmails },
  { key: "news", name: "Reminders and newsletter", texts: newsEmails },
] as const;

export const emailTexts = { ...orderEmails, ...returnEmails, ...requestEmails, ...newsEmails };
/** An e-mail whose words the owner may edit. */
export type EmailTextKind = keyof typeof emailTexts;
export const emailTextKinds = Object.keys(emailTexts) as EmailTextKind[];

export const isEmailTextKind = (kind: string): kind is EmailTextKind => Object.hasOwn(emailTexts, kind);
export const emailTextOf = (kind: EmailTextKind): EmailText => emailTexts[kind];

export type FieldsOf<K extends EmailTextKind> = keyof (typeof emailTexts)[K]["fields"] & string;
export type FactsOf<K extends EmailTextKind> = keyof (typeof emailTexts)[K]["facts"] & string;
