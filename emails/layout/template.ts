import type { ReactElement } from "react";
import type { Email, Sender } from "../../domain/outbox/email.ts";

export type EmailOf<K extends Email["kind"]> = Extract<Email, { kind: K }>;

/** What is sent for one kind of e-mail. The text part is written on its own, not scraped off the HTML. */
export type Template<E extends Email> = {
  subject(email: E, sender: Sender): string;
  html(email: E, sender: Sender): ReactElement;
  text(email: E, sender: Sender): string;
};
