import { randomUUID } from "node:crypto";
import { and, eq, inArray, isNull, lt, ne, sql } from "drizzle-orm";
import { type ContactRequest, findSuspicion } from "../../domain/contact/contact.ts";
import { answeredMessageYears, honeypotMessageDays } from "../../domain/privacy/retention.ts";
import type { ShopContext } from "../context.ts";
import { mayMailStranger } from "../outbox/mail-caps.ts";
import { eraseContactMail } from "../outbox/personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import { enqueueContactMessage, enqueueContactReply } from "./mail.ts";
import { contactMessages, contactReplies } from "./tables.ts";

const hourMs = 60 * 60 * 1000;
const doneRetentionMs = answeredMessageYears * 365 * 24 * hourMs;
const honeypotRetentionMs = honeypotMessageDays * 24 * hourMs;

/** Stores a message, suspicious or not, and enqueues the e-mails about it in the same transaction. */
export async function sendContactMessage(
  { db, now }: ShopContext,
  request: ContactRequest,
): Promise<{ id: string; number: number }> {
  const { name, email, subject, message } = request;
  const suspicion = findSuspicion(request);
  const createdAt = now();
  return db.transaction(async (tx) => {
    const id = randomUUID();
    const [row] = await tx
      .insert(contactMessages)
      .values({ id, name, email, subject, message, suspicion, createdAt })
      .returning({ number: contactMessages.number });
    if (!row) throw new Error("a message was written without its number");
    // The form may have another person's address, so receipts are limited.
    const sendsReceipt =
      suspicion === null && (await mayMailStranger(tx, { kind: "contact_receipt", email, now: createdAt }));
    await enqueueContactMessage(tx, { messageId: id, email, sendsReceipt, at: createdAt });
    return { id, number: row.number };
  });
}

/** Sets a message's status or its read mark; false if there is no such message. */
export async function updateContactMessage(
  { db, now }: ShopContext,
  edit: { id: string; status?: "open" | "done" | undefined; read?: boolean | undefined },
): Promise<boolean> {
  const changedRows = await db
    .update(contactMessages)
    .set({
      ...(edit.status === undefined ? {} : { status: edit.status }),
      // Keeps the time of the first reading.
      ...(edit.read === undefined
        ? {}
        : { readAt: edit.read ? sql`coalesce(${contactMessages.readAt}, ${now()})` : null }),
    })
    .where(eq(contactMessages.id, edit.id))
    .returning({ id: contactMessages.id });
  return changedRows.length > 0;
}

type MessageKey = { id: string; number: number };

/** Sets the status of several messages; returns those that it changed, by number. */
export async function markContactMessages(
  db: Db,
  ids: readonly string[],
  status: "open" | "done",
): Promise<MessageKey[]> {
  const { id, number } = contactMessages;
  const markedRows = await db
    .update(contactMessages)
    .set({ status })
    .where(and(inArray(id, ids), ne(contactMessages.status, status)))
    .returning({ id, number });
  return byNumber(markedRows);
}

/**
 * Deletes messages with their replies and their e-mails in the outbox. `busy`: messages kept because one of their e-mails
 * is being sent. Unknown ids are in neither list. Both are sorted by number.
 */
export async function deleteContactMessages(
  { db, mailFolder }: ShopContext,
  { ids }: { ids: readonly string[] },
): Promise<{ deleted: MessageKey[]; busy: MessageKey[] }> {
  const { id, number } = contactMessages;
  return db.transaction(async (tx) => {
    const rows = await tx
      .select({ id, number })
      .from(contactMessages)
      .where(inArray(id, ids))
      .orderBy(id)
      .for("update");
    const lockedIds = rows.map((message) => message.id);
    const busyIds = await eraseContactMail(tx, lockedIds, mailFolder);
    const busyMessages = rows.filter((message) => busyIds.has(message.id));
    const deletedMessages = rows.filter((message) => !busyIds.has(message.id));
    const deletedIds = deletedMessages.map((message) => message.id);
    await tx.delete(contactMessages).where(inArray(id, deletedIds));
    return { deleted: byNumber(deletedMessages), busy: byNumber(busyMessages) };
  });
}

function byNumber(messages: MessageKey[]): MessageKey[] {
  return messages.sort((a, b) => a.number - b.number);
}

/** Deletes done messages after two years, and messages caught by the honeypot sooner. */
export async function purgeContactMessages({ db, now: clock }: ShopContext): Promise<void> {
  const now = clock();
  // The conditions in SQL must match those of the partial indexes.
  const isOld = (ms: number) => lt(contactMessages.createdAt, new Date(now.getTime() - ms));
  await deleteInBatches(
    db,
    contactMessages,
    and(sql`${contactMessages.status} = 'done'`, isOld(doneRetentionMs)),
  );
  await deleteInBatches(
    db,
    contactMessages,
    and(
      sql`${contactMessages.suspicion} = 'honeypot'`,
      isNull(contactMessages.answeredAt),
      isOld(honeypotRetentionMs),
    ),
  );
}

type ReplyResult =
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
    const insertedRows = await tx
      .insert(contactReplies)
      .values({ id: replyId, messageId, text, createdAt: now })
      .onConflictDoNothing()
      .returning({ id: contactReplies.id });
    if (insertedRows.length === 0) {
      const [earlierReply] = await tx.select().from(contactReplies).where(eq(contactReplies.id, replyId));
      const isSame = earlierReply?.messageId === messageId && earlierReply.text === text;
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
