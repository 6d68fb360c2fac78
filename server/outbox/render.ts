import type { Email, RenderedEmail, Sender } from "../../domain/outbox/email.ts";

type Templates = { renderEmail(email: Email, sender: Sender): Promise<RenderedEmail> };

let templates: Promise<Templates> | null = null;

/** Renders with the built templates (`npm run build`), loaded when the first message needs them. */
export async function renderEmail(email: Email, sender: Sender): Promise<RenderedEmail> {
  // Node runs no JSX, so the templates come built; the address is made at run time to keep them out of type checks.
  templates ??= import(new URL("../../build/emails/index.js", import.meta.url).href);
  return (await templates).renderEmail(email, sender);
}
