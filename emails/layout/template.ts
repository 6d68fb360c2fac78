import type { EmailTextKind, FactsOf } from "../../domain/content/emails/texts.ts";
import type { Email, Sender } from "../../domain/outbox/email.ts";
import type { EmailTexts } from "./email-texts.ts";
import type { Parts } from "./parts.tsx";

export type EmailOf<K extends Email["kind"]> = Extract<Email, { kind: K }>;

/** An e-mail's content, for its HTML and its text part. */
export type Content = {
  title: string;
  /** The most important fact for the reader, in large letters below the title: a date, an amount. */
  highlight?: string | null | undefined;
  /** Preview text beside the subject in inboxes; by default the beginning of the text. */
  preview?: string | undefined;
  parts: Parts;
  /** Whether the text part begins with the title, as it does by default. */
  isTitleInText?: boolean;
};

/** Template of one kind of e-mail. */
export type Template<E extends Email> = {
  subject(email: E, sender: Sender): string;
  content(email: E, sender: Sender): Content;
};

/** Template of an e-mail to a shopper, whose texts the owner may have edited. */
export type EditableTemplate<K extends EmailTextKind> = {
  /** Values of its placeholders other than the shop's name; null to remove a placeholder. */
  facts(email: EmailOf<K>, sender: Sender): Record<Exclude<FactsOf<K>, "brand">, string | string[] | null>;
  /** The subject; by default the field `subject`. */
  subject?(email: EmailOf<K>, texts: EmailTexts<K>): string;
  /** The content; its title is by default the field `heading`. */
  content(
    email: EmailOf<K>,
    texts: EmailTexts<K>,
    sender: Sender,
  ): Omit<Content, "title"> & { title?: string | undefined };
};
