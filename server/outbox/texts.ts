import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { e164 } from "../../domain/shared/phone.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { addJob, defineJob, type JobContext } from "../platform/jobs/jobs.ts";
import { mailContext, type TextComposer, testMail } from "./compose.ts";
import { enqueueMessages } from "./enqueue.ts";
import { type Message, settleMessage } from "./settle.ts";
import { messages } from "./tables.ts";
import { TextRefused, type TextSender } from "./twilio.ts";

/** Seconds until each check of a text's delivery state, counted from sending it, then from the previous check. */
const textChecksAfterS = [10, 60, 300, 1_800, 7_200, 43_200] as const;

export const checkTextJob = defineJob({
  name: "check_text",
  payload: v.object({ messageId: uuidSchema, round: v.number() }),
  lane: "mail",
  priority: 10,
  maxAttempts: 5,
});

/** After these attempts, within about four minutes, an e-mail is sent instead, because a late alert is worth little. */
const maxAttempts = 6;

const noCredentials = "Not sent: no Twilio credentials are entered under Keys and connections";

/** Sends a text. Throws when it should be retried; the outbox has the reason. */
export async function sendText(
  ctx: ShopContext,
  message: Message,
  { compose, job }: { compose: TextComposer; job: JobContext },
): Promise<void> {
  // Only the job counts an attempt whose process was killed; only the message counts an attempt that an outage ended.
  const attempt = Math.max(job.attempt, message.attempts + 1);
  const { db, log, textSender, now } = ctx;
  let body: string | null = null;
  try {
    body = await compose(await mailContext(ctx), message);
    if (textSender === null) {
      await settleMessage(db, message, { status: "skipped", lastError: noCredentials, text: body });
      log.warn({ messageId: message.id, kind: message.kind }, "text not sent: Twilio is not configured");
      return;
    }
    const to = message.recipient ?? "";
    const providerId =
      (attempt > 1 && (await findEarlierText(textSender, message, body))) ||
      (await textSender.send({ to, body }));
    await db.transaction(async (tx) => {
      const sentState = {
        status: "sent",
        delivery: "accepted",
        sentAt: now(),
        lastError: null,
        text: body,
        providerId,
      } as const;
      if (await settleMessage(tx, message, sentState)) await checkLater(tx, message.id, 0);
    });
    log.info({ messageId: message.id, kind: message.kind }, "text accepted");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof TextRefused || attempt >= maxAttempts) {
      await failText(ctx, message, { reason, body });
      return;
    }
    await settleMessage(db, message, { status: "queued", lastError: reason, text: body });
    throw new Error(`text ${message.id} was not sent: ${reason}`);
  }
}

/**
 * Finds a text in Twilio's list after an attempt without a response, because Twilio has no idempotency keys. If Twilio lists the
 * text too late, the owner gets it twice rather than never.
 */
async function findEarlierText(
  textSender: TextSender,
  message: Message,
  body: string,
): Promise<string | null> {
  return textSender.find({ to: message.recipient ?? "", body }, message.createdAt);
}

async function failText(
  { db, log }: ShopContext,
  message: Message,
  { reason, body }: { reason: string; body: string | null },
): Promise<void> {
  await db.transaction(async (tx) => {
    const failedState = { status: "failed", lastError: reason, text: body } as const;
    if (await settleMessage(tx, message, failedState)) await enqueueTextFailed(tx, message, reason);
  });
  log.error({ messageId: message.id, kind: message.kind, reason }, "text failed");
}

/** E-mails the owner about an order whose text was not delivered, once per text. */
async function enqueueTextFailed(
  tx: Db,
  { id, orderId }: Pick<Message, "id" | "orderId">,
  reason: string,
): Promise<void> {
  if (orderId === null) return;
  await enqueueMessages(tx, [
    { kind: "owner_text_failed", dedupeKey: `owner_text_failed:${id}`, orderId, data: { reason } },
  ]);
}

/** Schedules the next check of the delivery state, unless the last one is done. */
async function checkLater(tx: Db, messageId: string, round: number): Promise<void> {
  const afterS = textChecksAfterS[round];
  if (afterS === undefined) return;
  const runAt = new Date(Date.now() + afterS * 1000);
  await addJob(tx, checkTextJob, { messageId, round }, { runAt, key: `check_text:${messageId}` });
}

/** Reads the delivery state of a text. Schedules another check while it is pending, and e-mails the owner if it failed. */
export async function checkText(
  { db, textSender, log }: ShopContext,
  { messageId, round }: { messageId: string; round: number },
  { isLastAttempt }: Pick<JobContext, "isLastAttempt">,
): Promise<void> {
  const [message] = await db.select().from(messages).where(eq(messages.id, messageId));
  if (textSender === null || !message?.providerId || message.delivery !== "accepted") return;
  const status = await textSender.fetchStatus(message.providerId).catch((error: unknown) => {
    if (!isLastAttempt) throw error;
    return { delivery: "accepted" as const };
  });
  await db.transaction(async (tx) => {
    if (status.delivery === "accepted") {
      await checkLater(tx, messageId, round + 1);
      return;
    }
    const reason = status.delivery === "undelivered" ? status.reason : null;
    const updatedRows = await tx
      .update(messages)
      .set({ delivery: status.delivery, lastError: reason })
      .where(and(eq(messages.id, messageId), eq(messages.delivery, "accepted")))
      .returning({ one: sql`1` });
    if (reason === null || updatedRows.length === 0) return;
    await enqueueTextFailed(tx, message, reason);
    log.error({ messageId, kind: message.kind, reason }, "text not delivered");
  });
}

type TestTextOutcome =
  | { ok: true }
  /** `unreachable`: no response, or a problem with the account; `refused`: a problem with the number. */
  | { ok: false; reason: "not_configured" | "unreachable" | "refused"; message: string };

/** Sends a test text now, and waits until it is accepted. It is listed in Messages > Sent like any other. */
export async function sendTestText(ctx: ShopContext, phoneNumber: string): Promise<TestTextOutcome> {
  const { db, textSender, now, log } = ctx;
  if (textSender === null) {
    return { ok: false, reason: "not_configured", message: "Twilio is not configured on the server." };
  }
  const id = randomUUID();
  const body = await testMail.test_text(await mailContext(ctx));
  const testMessage = {
    id,
    kind: "test_text",
    channel: "sms",
    dedupeKey: `test_text:${id}`,
    recipient: e164(phoneNumber),
    text: body,
    attempts: 1,
    createdAt: now(),
  } as const;
  try {
    const providerId = await textSender.send({ to: testMessage.recipient, body });
    await db.transaction(async (tx) => {
      const sentState = { status: "sent", delivery: "accepted", sentAt: now(), providerId } as const;
      await tx.insert(messages).values({ ...testMessage, ...sentState });
      await checkLater(tx, id, 0);
    });
    return { ok: true };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    log.warn({ messageId: id, reason: message }, "test text failed");
    await db.insert(messages).values({ ...testMessage, status: "failed", lastError: message });
    const isNumberAtFault = error instanceof TextRefused && error.fault === "number";
    return { ok: false, reason: isNumberAtFault ? "refused" : "unreachable", message: `${message}.` };
  }
}
