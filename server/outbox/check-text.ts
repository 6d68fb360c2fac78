import { and, eq, sql } from "drizzle-orm";
import type { ShopContext } from "../context.ts";
import type { JobContext } from "../platform/jobs.ts";
import { checkLater, enqueueTextFailed } from "./send-text.ts";
import { messages } from "./tables.ts";

/**
 * Asks the carrier what became of a text, and again later as long as it is on its way. One that did not arrive is told
 * to the owner by e-mail, once.
 */
export async function checkText(
  { db, textSender, log }: ShopContext,
  { messageId, round }: { messageId: string; round: number },
  { isLastAttempt }: Pick<JobContext, "isLastAttempt">,
): Promise<void> {
  const [message] = await db.select().from(messages).where(eq(messages.id, messageId));
  if (textSender === null || !message?.providerId || message.delivery !== "accepted") return;
  const status = await textSender.statusOf(message.providerId).catch((error: unknown) => {
    if (!isLastAttempt) throw error;
    return { delivery: "accepted" as const };
  });
  await db.transaction(async (tx) => {
    if (status.delivery === "accepted") {
      await checkLater(tx, messageId, round + 1);
      return;
    }
    const reason = status.delivery === "undelivered" ? status.reason : null;
    const settled = await tx
      .update(messages)
      .set({ delivery: status.delivery, lastError: reason })
      .where(and(eq(messages.id, messageId), eq(messages.delivery, "accepted")))
      .returning({ one: sql`1` });
    if (reason === null || settled.length === 0) return;
    await enqueueTextFailed(tx, message, reason);
    log.error({ messageId, kind: message.kind, reason }, "text not delivered");
  });
}
