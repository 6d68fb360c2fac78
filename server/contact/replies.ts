import { eq, sql } from "drizzle-orm";
import type { ShopContext } from "../context.ts";
import { enqueueContactReply } from "./mail.ts";
import { contactMessages, contactReplies } from "./tables.ts";

export type ReplyResult =
  | { ok: true; isNew: boolean; number: number }
  | { ok: false; reason: "not_found" | "other_answer" };

/**
 * Stores the owner's reply to a message and enqueues its e-mail. Repeating a `replyId` with the same text does nothing;
 * with another text it is refused, because the first reply is already being sent.
 */
export async function replyToMessage(
  ctx: ShopContext,
  reply: { replyId: string; messageId: string; text: string; done: boolean },
): Promise<ReplyResult> {
  const { replyId, messageId, text, done } = reply;
  const now = ctx.now();
  return ctx.db.transaction(async (tx) => {
    const [message] = await tx
      .select({ number: contactMessages.number, email: contactMessages.email })
      .from(contactMessages)
      .where(eq(contactMessages.id, messageId))
      .for("update");
    if (!message) return { ok: false, reason: "not_found" };
    const inserted = await tx
      .insert(contactReplies)
      .values({ id: replyId, messageId, text, createdAt: now })
      .onConflictDoNothing()
      .returning({ id: contactReplies.id });
    if (inserted.length === 0) {
      const [earlier] = await tx.select().from(contactReplies).where(eq(contactReplies.id, replyId));
      const isSame = earlier?.messageId === messageId && earlier.text === text;
      return isSame
        ? { ok: true, isNew: false, number: message.number }
        : { ok: false, reason: "other_answer" };
    }
    await tx
      .update(contactMessages)
      .set({
        answeredAt: now,
        readAt: sql`coalesce(${contactMessages.readAt}, ${now})`,
        ...(done ? { status: "done" } : {}),
      })
      .where(eq(contactMessages.id, messageId));
    await enqueueContactReply(tx, { replyId, messageId, email: message.email });
    return { ok: true, isNew: true, number: message.number };
  });
}
