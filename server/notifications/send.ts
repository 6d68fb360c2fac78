import type { Logger } from "pino";
import type { RenderedEmail } from "../../domain/email.ts";
import type { Db } from "../platform/database.ts";
import type { JobContext } from "../platform/jobs.ts";
import { claimMessage, type Message, settleClaim } from "./claim.ts";
import { composeMessage } from "./compose.ts";
import type { Composed, ComposeParts } from "./composer.ts";
import { keepMail } from "./mail-folder.ts";
import { leavesNoTrace, traceless } from "./personal-data.ts";
import { renderEmail } from "./render.ts";
import { type Mailer, MailRefused } from "./smtp.ts";

export type NotificationParts = ComposeParts & {
  db: Db;
  log: Logger;
  /** Null: no mail server is configured, every message is kept. */
  mailer: Mailer | null;
  /** Folder for messages that are kept. */
  mailFolder: string;
};

/**
 * Sends one message of the outbox, or keeps it where it cannot be sent: no mail server, or no address for the owner.
 * Throws when it should be tried again; the outbox knows why.
 */
export async function sendMessage(
  parts: NotificationParts,
  messageId: string,
  { isLastAttempt }: Pick<JobContext, "isLastAttempt">,
): Promise<void> {
  const message = await claimMessage(parts.db, messageId);
  if (message === "done") return;
  if (message === "busy") throw new Error(`message ${messageId} is being sent by another worker`);
  try {
    const composed = await composeMessage(parts, message);
    if (composed === "expired") {
      await giveUp(parts, message, "it could not be sent before its link expired");
      return;
    }
    const rendered = await renderEmail(composed.email, composed.sender);
    const status = await deliver(parts, message, composed, rendered);
    await settleClaim(parts.db, message, {
      status,
      sentAt: parts.now(),
      lastError: null,
      data: null,
      ...(leavesNoTrace(message.kind)
        ? traceless
        : { recipient: composed.recipient, ...blackOut(rendered, composed.secret) }),
    });
  } catch (err) {
    const reason = withoutAddresses(err instanceof Error ? err.message : String(err));
    if (isLastAttempt || err instanceof MailRefused) {
      await giveUp(parts, message, reason);
      return;
    }
    await settleClaim(parts.db, message, { status: "queued", lastError: reason });
    throw new Error(`message ${messageId} (${message.kind}) was not sent: ${reason}`);
  }
}

async function deliver(
  { mailer, mailFolder, log }: NotificationParts,
  message: Message,
  composed: Composed,
  rendered: RenderedEmail,
): Promise<"sent" | "kept"> {
  const { recipient, sender } = composed;
  if (mailer === null || recipient === null) {
    await keepMail(mailFolder, message, recipient, rendered);
    return "kept";
  }
  const replyTo = composed.replyTo ?? sender.replyTo;
  const { unsubscribeUrl } = composed;
  await mailer.send({ messageId: message.id, to: recipient, replyTo, unsubscribeUrl, sender, rendered });
  log.info({ messageId: message.id, kind: message.kind, to: withoutAddresses(recipient) }, "message sent");
  return "sent";
}

async function giveUp({ db, log }: NotificationParts, message: Message, reason: string): Promise<void> {
  const trace = leavesNoTrace(message.kind) ? traceless : { data: null };
  await settleClaim(db, message, { status: "failed", lastError: reason, ...trace });
  log.error({ messageId: message.id, kind: message.kind, reason }, "message given up");
}

function blackOut(rendered: RenderedEmail, secret: string | null): RenderedEmail {
  if (secret === null) return rendered;
  const { subject, html, text } = rendered;
  return { subject, html: html.replaceAll(secret, "removed"), text: text.replaceAll(secret, "removed") };
}

/** "ada@example.com" -> "a***@example.com", wherever one stands in a text. */
export function withoutAddresses(text: string): string {
  return text.replace(/([^\s<>@"'(]?)[^\s<>@"'(]*@/g, "$1***@");
}
