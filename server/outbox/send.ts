import { setTimeout as wait } from "node:timers/promises";
import type { RenderedEmail } from "../../domain/outbox/email.ts";
import { ownerAlertOf } from "../../domain/outbox/outbox.ts";
import { isTextKind } from "../../domain/outbox/text-message.ts";
import type { ShopContext } from "../context.ts";
import { type Db, isDatabaseUnavailable } from "../platform/database/database.ts";
import { isBusy } from "../platform/jobs/busy.ts";
import type { JobContext } from "../platform/jobs/jobs.ts";
import { claimMessage, claimSeconds, holdClaim, type Message, settleClaim } from "./claim.ts";
import { type Composed, type Composer, composeEmail, renderEmail } from "./compose.ts";
import { saveMail } from "./mail-folder.ts";
import { holdsSecret, isErasedOnceSent, withoutPersonalData } from "./personal-data.ts";
import { MailRefused } from "./smtp.ts";
import { sendText } from "./texts.ts";

/** Tolerance between our clock and the database's. */
const claimMarginMs = 100;
const claimPollMs = 2_000;
const makingMs = 30_000;
const idlePollMs = 25;
/** Over ten seconds and more. */
const recordAttemptsMax = 5;

/** Sends one message of the outbox. Throws if it should be retried; the reason is in the outbox. */
export async function sendMessage(
  ctx: ShopContext,
  messageId: string,
  { isLastAttempt, signal }: Pick<JobContext, "isLastAttempt" | "signal">,
): Promise<void> {
  const message = await claimPatiently(ctx, messageId, signal);
  if (message === "done") return;
  const { kind } = message;
  await holdClaim(ctx.db, message, () =>
    isTextKind(kind)
      ? sendText(ctx, message, ctx.composers[kind])
      : sendEmail(ctx, message, ctx.composers[kind], isLastAttempt),
  );
}

/** Waits for the claim of a dead worker to expire, which it does unless it is renewed meanwhile. */
async function claimPatiently(
  { db }: ShopContext,
  messageId: string,
  signal: AbortSignal,
): Promise<Message | "done"> {
  const until = Date.now() + 1_000 * claimSeconds;
  for (;;) {
    const message = await claimMessage(db, messageId);
    if (message === "done" || "id" in message) return message;
    if (Date.now() > until) throw new Error(`message ${messageId} is being sent by another worker`);
    await wait(Math.min(message.busyForMs + claimMarginMs, claimPollMs), null, { signal });
  }
}

let lastMade: Promise<unknown> = Promise.resolve();
/** Messages being rendered or sent. */
let underway = 0;

/**
 * Renders and sends a message. Rendering needs the processor, so messages are rendered one at a time, however many are
 * being sent. In a rush, when orders need the processor, each message waits for the one before to be sent. A stuck one
 * delays the others for `makingMs` at most.
 */
async function inTurn<Made>(make: () => Promise<Made>, send: (made: Made) => Promise<void>): Promise<void> {
  const made = lastMade.then(async () => {
    while (underway > 0 && isBusy()) await wait(idlePollMs);
    underway += 1;
    return make();
  });
  lastMade = Promise.race([made, wait(makingMs, null, { ref: false })]).catch(() => null);
  try {
    await send(await made);
  } finally {
    underway -= 1;
  }
}

/** Sends an e-mail, or saves it if there is no mail server or no owner's address. */
async function sendEmail(
  ctx: ShopContext,
  message: Message,
  compose: Composer,
  isLastAttempt: boolean,
): Promise<void> {
  const { id, kind } = message;
  /** Its content, once known: a failed one can be read too. */
  let content: { recipient?: string | null } & Partial<RenderedEmail> = {};
  try {
    const switchedOff = await switchedOffBy(ctx, message);
    if (switchedOff !== null) {
      await settleClaim(ctx.db, message, { status: "skipped", lastError: switchedOff });
      return;
    }
    await inTurn(
      async () => {
        const composed = await composeEmail(ctx, message, compose);
        return (
          composed !== "expired" && { composed, rendered: await renderEmail(composed.email, composed.sender) }
        );
      },
      async (made) => {
        if (!made) {
          await fail(ctx, message, "There was nothing to send it for any more, or its link had expired");
          return;
        }
        const { composed, rendered } = made;
        content = { recipient: composed.recipient, ...blackOut(rendered, composed.secret) };
        const status = await deliver(ctx, message, composed, rendered);
        await recordSent(ctx.db, message, {
          status,
          sentAt: ctx.now(),
          lastError: null,
          ...(composed.secret === null ? {} : { data: null }),
          ...(isErasedOnceSent(kind) ? withoutPersonalData : content),
        });
      },
    );
  } catch (err) {
    const reason = withoutAddresses(err instanceof Error ? err.message : String(err));
    if (isLastAttempt || err instanceof MailRefused) {
      await fail(ctx, message, reason, content);
      return;
    }
    await settleClaim(ctx.db, message, { status: "queued", lastError: reason });
    throw new Error(`message ${id} (${kind}) was not sent: ${reason}`);
  }
}

/** A message that the mail server took must not be sent again because the database was unavailable for a moment. */
async function recordSent(
  db: Db,
  message: Message,
  outcome: Parameters<typeof settleClaim>[2],
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await settleClaim(db, message, outcome);
      return;
    } catch (err) {
      if (attempt === recordAttemptsMax || !isDatabaseUnavailable(err)) throw err;
      await wait(1_000 * attempt);
    }
  }
}

/** Why the owner does not want this e-mail; null: it is wanted, or was requested by hand. */
async function switchedOffBy(
  { ownerSettings }: ShopContext,
  { kind, copyOf }: Message,
): Promise<string | null> {
  const alert = ownerAlertOf(kind);
  if (alert === null || copyOf !== null) return null;
  const { notifications } = await ownerSettings();
  return notifications.email[alert] ? null : "You have switched this kind of email off";
}

async function deliver(
  { mailer, mailFolder, log }: ShopContext,
  message: Message,
  composed: Composed,
  rendered: RenderedEmail,
): Promise<"sent" | "kept"> {
  const { recipient, sender, unsubscribeUrl, answers, isWritten } = composed;
  if (mailer === null || recipient === null) {
    await saveMail(mailFolder, message, recipient, rendered);
    return "kept";
  }
  const { id: messageId, kind } = message;
  const replyTo = composed.replyTo ?? sender.replyTo;
  await mailer.send({
    messageId,
    to: recipient,
    replyTo,
    unsubscribeUrl,
    answers,
    isWritten,
    sender,
    rendered,
  });
  log.info({ messageId, kind, to: withoutAddresses(recipient) }, "message sent");
  return "sent";
}

async function fail(
  { db, log }: ShopContext,
  message: Message,
  reason: string,
  content: Partial<typeof message> = {},
): Promise<void> {
  const rest = isErasedOnceSent(message.kind)
    ? withoutPersonalData
    : { ...content, ...(holdsSecret(message.kind) ? { data: null } : {}) };
  await settleClaim(db, message, { status: "failed", lastError: reason, ...rest });
  log.error({ messageId: message.id, kind: message.kind, reason }, "message failed");
}

function blackOut(rendered: RenderedEmail, secret: string | null): RenderedEmail {
  if (secret === null) return rendered;
  const { subject, html, text } = rendered;
  return { subject, html: html.replaceAll(secret, "removed"), text: text.replaceAll(secret, "removed") };
}

/** "ada@example.com" -> "a***@example.com", anywhere in a text. Each word is scanned only once. */
export function withoutAddresses(text: string): string {
  return text.replace(/(?<![^\s<>@"'(])([^\s<>@"'(]?)[^\s<>@"'(]*@/g, "$1***@");
}
