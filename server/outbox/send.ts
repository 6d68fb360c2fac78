import { setTimeout as wait } from "node:timers/promises";
import type { RenderedEmail } from "../../domain/outbox/email.ts";
import { findOwnerAlert } from "../../domain/outbox/outbox.ts";
import { isTextKind } from "../../domain/outbox/text-message.ts";
import type { ShopContext } from "../context.ts";
import { batchCalls } from "../platform/batch-calls.ts";
import { isDatabaseUnavailable } from "../platform/database/database.ts";
import { isBusy } from "../platform/jobs/busy.ts";
import type { JobContext } from "../platform/jobs/jobs.ts";
import { recordOrderId } from "../platform/process/running-work.ts";
import { type Composer, composeEmail, renderEmail } from "./compose.ts";
import type { Composed } from "./composers.ts";
import { saveMail } from "./mail-folder.ts";
import { recordMailFailure, retryMail } from "./outage.ts";
import { holdsSecret, isErasedOnceSent, withoutPersonalData } from "./personal-data.ts";
import {
  type DeliveryResult,
  type Message,
  noAddressPrefix,
  readQueued,
  settleDelivered,
  settleMessage,
} from "./settle.ts";
import { MailFailed, MailRefused, withoutAddresses } from "./smtp.ts";
import { messages } from "./tables.ts";
import { sendText } from "./texts.ts";

const idlePollMs = 25;
/** The attempts span ten seconds. */
const maxRecordAttempts = 5;
/** Maximum number of messages per statement; each has some 10 kB. */
const maxGroupSize = 50;

type Settle = (result: DeliveryResult) => Promise<void>;

/**
 * Returns a function that sends a message of the outbox; the lease of the message's job prevents other servers from sending it
 * too. Simultaneous messages are read, and marked as sent, in one statement. Throws if the message should be retried; the
 * outbox has the reason.
 */
export function messageSender(ctx: ShopContext) {
  const read = batchCalls(maxGroupSize, (ids: string[]) => readQueued(ctx.db, ids));
  const settle: Settle = batchCalls(maxGroupSize, async (results) => {
    if (await settleDelivered(ctx.db, results)) {
      const count = await retryMail(ctx.db);
      ctx.log.info({ count }, "emails leave again");
    }
    return results.map(() => undefined);
  });
  return async (messageId: string, job: JobContext): Promise<void> => {
    const message = await read(messageId);
    if (message === null) return;
    const { kind, orderId } = message;
    if (orderId !== null) recordOrderId(orderId);
    await (isTextKind(kind)
      ? sendText(ctx, message, { compose: ctx.composers[kind], job })
      : sendEmail(ctx, settle, { message, compose: ctx.composers[kind], job }));
  };
}

let lastTurn: Promise<unknown> = Promise.resolve();
/** Number of messages being sent. */
let sendingCount = 0;

/**
 * Renders and sends a message over the mail server in its turn. In a rush, when orders need the processor, each message waits until
 * the previous one has been sent. Otherwise messages are sent in parallel, so that a slow response delays no other message.
 */
async function inTurn<T>({ mailer }: ShopContext, send: () => Promise<T>): Promise<T> {
  if (mailer === null) return send();
  const turn = lastTurn.then(async () => {
    while (sendingCount > 0 && isBusy()) await wait(idlePollMs);
    sendingCount += 1;
  });
  lastTurn = turn;
  await turn;
  try {
    return await send();
  } finally {
    sendingCount -= 1;
  }
}

/** Sends an e-mail, or saves it if there is no mail server or no owner's address. */
async function sendEmail(
  ctx: ShopContext,
  settle: Settle,
  { message, compose, job }: { message: Message; compose: Composer; job: JobContext },
): Promise<void> {
  const { id, kind } = message;
  /** The content once it is rendered, so that the panel can show it for a failed message too. */
  let content: { recipient?: string | null } & Partial<RenderedEmail> = {};
  try {
    const skipReason = await switchedOffReason(ctx, message);
    if (skipReason !== null) {
      await settleMessage(ctx.db, message, { status: "skipped", lastError: skipReason });
      return;
    }
    const composed = await composeEmail(ctx, message, compose);
    if (composed === "unneeded" || composed === "erased") {
      await settleUnsent(ctx, message, {
        status: "skipped",
        lastError:
          composed === "erased"
            ? "Not sent: the person’s data was erased"
            : "There was nothing to send it for anymore",
      });
      return;
    }
    if (composed === "expired") {
      await fail(ctx, message, "Its link had expired before it could be sent");
      return;
    }
    const { rendered, status } = await inTurn(ctx, async () => {
      const rendered = await renderEmail(ctx, composed);
      content = { recipient: composed.recipient, ...rendered };
      return { rendered, status: await deliver(ctx, message, composed, rendered) };
    });
    const isErased = isErasedOnceSent(kind);
    await recordSent(settle, {
      message,
      status,
      sentAt: ctx.now(),
      content: isErased ? withoutPersonalData : { recipient: composed.recipient, ...rendered },
      isDataErased: isErased || composed.secret !== null,
    });
  } catch (err) {
    const reason = withoutAddresses(err instanceof Error ? err.message : String(err));
    const { recipient } = content;
    if (err instanceof MailFailed && recipient) await recordMailFailure(ctx, { failure: err, recipient });
    const isRefused = err instanceof MailRefused;
    if (isRefused || job.isLastAttempt) {
      await fail(ctx, message, isRefused ? `${noAddressPrefix}${reason}` : reason, content);
      return;
    }
    await settleMessage(ctx.db, message, { status: "queued", lastError: reason });
    throw new Error(`message ${id} (${kind}) was not sent: ${reason}`);
  }
}

/** Retries while the database is unavailable, because a message accepted by the mail server must not be sent again. */
async function recordSent(settle: Settle, result: DeliveryResult): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await settle(result);
      return;
    } catch (err) {
      if (attempt === maxRecordAttempts || !isDatabaseUnavailable(err)) throw err;
      await wait(1_000 * attempt);
    }
  }
}

/** The reason not to send an e-mail whose kind the owner has switched off; null if it may be sent, or was resent by hand. */
async function switchedOffReason(
  { ownerSettings }: ShopContext,
  { kind, copyOf }: Message,
): Promise<string | null> {
  const alert = findOwnerAlert(kind);
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
  const { recipient, sender, unsubscribeUrl, references, isPersonal } = composed;
  const { id: messageId, kind } = message;
  if (mailer === null || recipient === null) {
    try {
      await saveMail(mailFolder, message, recipient, rendered);
    } catch (err) {
      // The outbox has a copy, but without links that must not stay readable.
      if (composed.secret !== null || isErasedOnceSent(kind)) throw err;
      log.warn({ err, messageId }, "a message cannot be saved in DATA_DIR; the outbox has it");
    }
    log.info({ messageId, kind }, "message kept");
    return "kept";
  }
  const replyTo = composed.replyTo ?? sender.replyTo;
  await mailer.send({
    messageId,
    to: recipient,
    replyTo,
    unsubscribeUrl,
    references,
    isPersonal,
    sender,
    rendered,
  });
  log.info({ messageId, kind, to: withoutAddresses(recipient) }, "message sent");
  return "sent";
}

/** An e-mail of a mailing to many recipients, which has no outbox row until it is sent. `key` identifies it permanently. */
type BulkMail = { id: string; key: string; kind: Message["kind"]; to: string } & Pick<
  Composed,
  "sender" | "unsubscribeUrl"
> & { rendered: RenderedEmail };

/**
 * Sends an e-mail over a separate connection, or saves it if there is no mail server. Does not retry: throws `MailRefused` or
 * `MailFailed`.
 */
export async function sendBulk(ctx: ShopContext, mail: BulkMail): Promise<void> {
  const { id, key: dedupeKey, kind, to: recipient, sender, unsubscribeUrl, rendered } = mail;
  if (ctx.mailer !== null) {
    const { replyTo } = sender;
    await ctx.mailer.send({
      messageId: id,
      to: recipient,
      replyTo,
      unsubscribeUrl,
      sender,
      rendered,
      isBulk: true,
    });
    return;
  }
  const at = ctx.now();
  await saveMail(ctx.mailFolder, { id, kind, createdAt: at }, recipient, rendered);
  const keptColumns = { channel: "email", status: "kept", attempts: 1, createdAt: at, sentAt: at } as const;
  await ctx.db
    .insert(messages)
    .values({ id, kind, dedupeKey, recipient, ...rendered, ...keptColumns })
    .onConflictDoNothing();
}

async function fail(
  ctx: ShopContext,
  message: Message,
  reason: string,
  content: Partial<typeof message> = {},
): Promise<void> {
  await settleUnsent(ctx, message, { status: "failed", lastError: reason, ...content });
  ctx.log.error({ messageId: message.id, kind: message.kind, reason }, "message failed");
}

/** Settles a message that will not be sent, and erases data needed only for sending. */
async function settleUnsent(
  { db }: ShopContext,
  message: Message,
  state: Parameters<typeof settleMessage>[2],
): Promise<void> {
  const { status, lastError } = state;
  const outcome = isErasedOnceSent(message.kind)
    ? { status, lastError, ...withoutPersonalData }
    : { ...state, ...(holdsSecret(message.kind) ? { data: null } : {}) };
  await settleMessage(db, message, outcome);
}
