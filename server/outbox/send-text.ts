import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database.ts";
import { addJob } from "../platform/jobs.ts";
import { type Message, settleClaim } from "./claim.ts";
import { mailContext, type TextComposer } from "./compose.ts";
import { enqueueMessages } from "./enqueue.ts";
import { checkTextJob, textChecksAfterS } from "./job-kinds.ts";
import { TextRefused, type TextSender } from "./twilio.ts";

/** An alert is worth little later on: after these attempts, four minutes or so, an e-mail takes its place. */
const attemptsMax = 6;

const noCredentials =
  "Not sent: no Twilio credentials are configured (TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM)";

/** Sends a claimed text. Throws when it should be tried again; the outbox knows why. */
export async function sendText(ctx: ShopContext, message: Message, compose: TextComposer): Promise<void> {
  const { db, log, textSender, now } = ctx;
  let body: string | null = null;
  try {
    body = await compose(await mailContext(ctx), message);
    if (textSender === null) {
      await settleClaim(db, message, { status: "skipped", lastError: noCredentials, text: body });
      log.warn({ messageId: message.id, kind: message.kind }, "text not sent: Twilio is not configured");
      return;
    }
    const to = message.recipient ?? "";
    const providerId = (await foundAgain(textSender, message, body)) ?? (await textSender.send({ to, body }));
    await db.transaction(async (tx) => {
      const sent = {
        status: "sent",
        delivery: "accepted",
        sentAt: now(),
        lastError: null,
        text: body,
        providerId,
      } as const;
      if (await settleClaim(tx, message, sent)) await checkLater(tx, message.id, 0);
    });
    log.info({ messageId: message.id, kind: message.kind }, "text accepted");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof TextRefused || message.attempts >= attemptsMax) {
      await failText(ctx, message, { reason, body });
      return;
    }
    await settleClaim(db, message, { status: "queued", lastError: reason, text: body });
    throw new Error(`text ${message.id} was not sent: ${reason}`);
  }
}

/**
 * Twilio knows no idempotency key: after a try that ended without an answer it is asked whether it has the text. Should it
 * list a text later than that, the owner gets it twice; never, because of that doubt, not at all.
 */
async function foundAgain(textSender: TextSender, message: Message, body: string): Promise<string | null> {
  if (message.attempts === 1) return null;
  return textSender.find({ to: message.recipient ?? "", body }, message.createdAt);
}

async function failText(
  { db, log }: ShopContext,
  message: Message,
  { reason, body }: { reason: string; body: string | null },
): Promise<void> {
  await db.transaction(async (tx) => {
    const failed = { status: "failed", lastError: reason, text: body } as const;
    if (await settleClaim(tx, message, failed)) await enqueueTextFailed(tx, message, reason);
  });
  log.error({ messageId: message.id, kind: message.kind, reason }, "text failed");
}

/** Tells the owner by e-mail of an order whose text did not arrive, once per text. */
export async function enqueueTextFailed(
  tx: Db,
  { id, orderId }: Pick<Message, "id" | "orderId">,
  reason: string,
): Promise<void> {
  if (orderId === null) return;
  await enqueueMessages(tx, [
    { kind: "owner_text_failed", dedupeKey: `owner_text_failed:${id}`, orderId, data: { reason } },
  ]);
}

/** Plans the next question what became of a text; none after the last. */
export async function checkLater(tx: Db, messageId: string, round: number): Promise<void> {
  const afterS = textChecksAfterS[round];
  if (afterS === undefined) return;
  const runAt = new Date(Date.now() + afterS * 1000);
  await addJob(tx, checkTextJob, { messageId, round }, { runAt, key: `check_text:${messageId}` });
}
