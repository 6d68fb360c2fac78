import type { ReactElement } from "react";
import type { EmailTextKind, FactsOf } from "../../domain/content/emails/texts.ts";
import type { Email, Sender } from "../../domain/outbox/email.ts";
import type { EmailTexts } from "./email-texts.ts";

export type EmailOf<K extends Email["kind"]> = Extract<Email, { kind: K }>;

/** Renders one kind of e-mail. The text part is written by hand, not derived from the HTML. */
export type Template<E extends Email> = {
  subject(email: E, sender: Sender): string;
  html(email: E, sender: Sender): ReactElement;
  text(email: E, sender: Sender): string;
};

/** Renders an e-mail to a shopper, whose texts the owner may have edited. */
export type EditableTemplate<K extends EmailTextKind> = {
  /** Values of its placeholders other than the shop's name; null: removed. */
  facts(email: EmailOf<K>, sender: Sender): Record<Exclude<FactsOf<K>, "brand">, string | null>;
  subject(email: EmailOf<K>, texts: EmailTexts<K>, sender: Sender): string;
  html(email: EmailOf<K>, texts: EmailTexts<K>, sender: Sender): ReactElement;
  text(email: EmailOf<K>, texts: EmailTexts<K>, sender: Sender): string;
};
