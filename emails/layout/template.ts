import type { ReactElement } from "react";
import type { EmailTextKind, FactsOf } from "../../domain/content/emails/texts.ts";
import type { Email, Sender } from "../../domain/outbox/email.ts";
import type { Said } from "./said.ts";

export type EmailOf<K extends Email["kind"]> = Extract<Email, { kind: K }>;

/** What is sent for one kind of e-mail. The text part is written on its own, not scraped off the HTML. */
export type Template<E extends Email> = {
  subject(email: E, sender: Sender): string;
  html(email: E, sender: Sender): ReactElement;
  text(email: E, sender: Sender): string;
};

/** The same for one to a shopper, whose words the owner may have edited. */
export type WordedTemplate<K extends EmailTextKind> = {
  /** What its words may name, but for the shop's name; null: there is nothing to say. */
  facts(email: EmailOf<K>, sender: Sender): Record<Exclude<FactsOf<K>, "brand">, string | null>;
  subject(email: EmailOf<K>, said: Said<K>, sender: Sender): string;
  html(email: EmailOf<K>, said: Said<K>, sender: Sender): ReactElement;
  text(email: EmailOf<K>, said: Said<K>, sender: Sender): string;
};
