import { setTimeout as wait } from "node:timers/promises";
import type { RenderedEmail } from "../../domain/outbox/email.ts";
import { ownerAlertOf } from "../../domain/outbox/outbox.ts";
import { isTextKind } from "../../domain/outbox/text-message.ts";
import type { ShopContext } from "../context.ts";
import { isDatabaseUnavailable } from "../platform/database/database.ts";
import { grouped } from "../platform/grouped.ts";
import { isBusy } from "../platform/jobs/busy.ts";
import type { JobContext } from "../platform/jobs/jobs.ts";
import { noteOrder } from "../platform/process/running-work.ts";
import { type Composer, composeEmail, renderEmail } from "./compose.ts";
import type { Composed } from "./composers.ts";
import { saveMail } from "./mail-folder.ts";
import { noteMailFailure, retryMail } from "./outage.ts";
import { holdsSecret, isErasedOnceSent, withoutPersonalData } from "./personal-data.ts";
import {
  type Delivered,
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
/** Over ten seconds and more. */
const recordAttemptsMax = 5;
/** Messages of one statement; each brings some 10 kB. */
const groupMost = 50;

type Settle = (delivered: Delivered) => Promise<void>;

/**
 * Sends messages of the outbox: the lease of its job keeps others from sending one meanwhile. Those that are under way
 * together are read, and marked as sent, in one statement. Throws if a message should be retried; the reason is in the
 * outbox.
 */
export function messageSender(ctx: ShopContext) {
  const read = grouped(groupMost, (ids: string[]) => readQueued(ctx.db, ids));
  const settle: Settle = grouped(groupMost, async (delivered) => {
    if (await settleDelivered(ctx.db, delivered)) {
      const count = await retryMail(ctx.db);
      ctx.log.info({ count }, "emails leave again");
    }
    return delivered.map(() => undefined);
  });
  return async (messageId: string, job: JobContext): Promise<void> => {
    const message = await read(messageId);
    if (message === null) return;
    const { kind, orderId } = message;
    if (orderId !== null) noteOrder(orderId);
    await (isTextKind(kind)
      ? sendText(ctx, message, { compose: ctx.composers[kind], job })
      : sendEmail(ctx, settle, { message, compose: ctx.composers[kind], job }));
  };
}

let lastTurn: Promise<unknown> = Promise.resolve();
/** Messages that are being sent. */
let underway = 0;

/**
 * Waits for a message's turn, which is over with the function it answers. In a rush, when orders need the processor, each
 * message waits for the one before to be sent. Otherwise as many are sent at once as the mail server takes: one that it is
 * slow to answer holds up no other.
 */
async function takeTurn(): Promise<() => void> {
  const turn = lastTurn.then(async () => {
    while (underway > 0 && isBusy()) await wait(idlePollMs);
    underway += 1;
  });
  lastTurn = turn;
  await turn;
  return () => {
    underway -= 1;
  };
}

/** Sends an e-mail, or saves it if there is no mail server or no owner's address. */
async function sendEmail(
  ctx: ShopContext,
  settle: Settle,
  { message, compose, job }: { message: Message; compose: Composer; job: JobContext },
): Promise<void> {
  const { id, kind } = message;
  /** The message's content, once known, so that a failed message can be read in the panel too. */
  let content: { recipient?: string | null } & Partial<RenderedEmail> = {};
  try {
    const switchedOff = await switchedOffBy(ctx, message);
    if (switchedOff !== null) {
      await settleMessage(ctx.db, message, { status: "skipped", lastError: switchedOff });
      return;
    }
    const endTurn = ctx.mailer === null ? null : await takeTurn();
    try {
      const composed = await composeEmail(ctx, message, compose);
      if (composed === "unneeded" || composed === "erased") {
        await end(ctx, message, {
          status: "skipped",
          lastError:
            composed === "erased"
              ? "Not sent: the person’s data was erased"
              : "There was nothing to send it for any more",
        });
        return;
      }
      if (composed === "expired") {
        await fail(ctx, message, "Its link had expired before it could be sent");
        return;
      }
      const rendered = await renderEmail(ctx, composed);
      const fullContent = { recipient: composed.recipient, ...rendered };
      content = fullContent;
      const isErased = isErasedOnceSent(kind);
      await recordSent(settle, {
        message,
        status: await deliver(ctx, message, composed, rendered),
        sentAt: ctx.now(),
        content: isErased ? withoutPersonalData : fullContent,
        isDataErased: isErased || composed.secret !== null,
      });
    } finally {
      endTurn?.();
    }
  } catch (err) {
    const reason = withoutAddresses(err instanceof Error ? err.message : String(err));
    const { recipient } = content;
    if (err instanceof MailFailed && recipient) await noteMailFailure(ctx, { failure: err, recipient });
    const isRefused = err instanceof MailRefused;
    if (isRefused || job.isLastAttempt) {
      await fail(ctx, message, isRefused ? `${noAddressPrefix}${reason}` : reason, content);
      return;
    }
    await settleMessage(ctx.db, message, { status: "queued", lastError: reason });
    throw new Error(`message ${id} (${kind}) was not sent: ${reason}`);
  }
}

/** A message that the mail server took must not be sent again because the database was unavailable for a moment. */
async function recordSent(settle: Settle, delivered: Delivered): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await settle(delivered);
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
  const { recipient, sender, unsubscribeUrl, references, isPersonal } = composed;
  const { id: messageId, kind } = message;
  if (mailer === null || recipient === null) {
    try {
      await saveMail(mailFolder, message, recipient, rendered);
    } catch (err) {
      // The outbox has it too, apart from links that must not stay readable there.
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

/** A message to many recipients, each without an outbox row until it is sent. `key`: identifies it permanently. */
type BulkMail = { id: string; key: string; kind: Message["kind"]; to: string } & Pick<
  Composed,
  "sender" | "unsubscribeUrl"
> & { rendered: RenderedEmail };

/**
 * Hands a message over to the mail server, apart from other mail, or keeps it if there is none. It is not tried again: throws
 * `MailRefused` or `MailFailed`.
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
  await end(ctx, message, { status: "failed", lastError: reason, ...content });
  ctx.log.error({ messageId: message.id, kind: message.kind, reason }, "message failed");
}

/** Settles a message that will not be sent, and erases data that only sending needed. */
async function end(
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
