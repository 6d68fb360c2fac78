import { type EmailWords, emailWordsSchema } from "../../../domain/content/emails/email-edit.ts";
import { type EmailTextKind, emailTextKinds, emailTextOf } from "../../../domain/content/emails/texts.ts";
import type { Versioned } from "../queries.ts";
import { shippedEmail } from "./shipped.ts";

export const emailKey = (kind: EmailTextKind) => `email:${kind}`;
export const emailKeys = emailTextKinds.map(emailKey);

/** The text of an e-mail as stored in its versions. */
export function emailTextAs(kind: EmailTextKind): Versioned<EmailWords> {
  const { text: shipped, hash } = shippedEmail(kind);
  const complete = (stored: EmailWords) => wholeEmail(kind, stored);
  return { key: emailKey(kind), schema: emailWordsSchema, shipped, hash, complete };
}

/** The stored text, with default words for fields that this version of the shop has added since. */
export function wholeEmail(kind: EmailTextKind, stored: EmailWords): EmailWords {
  const known = Object.keys(emailTextOf(kind).fields);
  const shipped = shippedEmail(kind).text;
  return Object.fromEntries(known.map((name) => [name, stored[name] ?? shipped[name] ?? ""]));
}
