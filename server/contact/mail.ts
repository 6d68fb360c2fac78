import { and, asc, eq, inArray, lt } from "drizzle-orm";
import * as v from "valibot";
import { contactReference, contactSubjects } from "../../domain/contact/contact.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import type { Mail } from "../outbox/compose.ts";
import { enqueueMessages } from "../outbox/enqueue.ts";
import { enqueueOwnerAlert } from "../outbox/owner-mail.ts";
import type { Message } from "../outbox/settle.ts";
import { messages } from "../outbox/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { notifyDevices } from "../push/notify.ts";
import { contactMessages, contactReplies } from "./tables.ts";

const contactData = v.object({ messageId: uuidSchema });
const replyData = v.object({ messageId: uuidSchema, replyId: uuidSchema });

/** Notifies the owner of a contact message and, if `sendsReceipt`, sends its sender a receipt. */
export async function enqueueContactMessage(
  tx: Db,
  {
    messageId,
    email,
    sendsReceipt,
    at,
  }: { messageId: string; email: string; sendsReceipt: boolean; at: Date },
): Promise<void> {
  const data = { messageId };
  const receipt = {
    kind: "contact_receipt",
    dedupeKey: `contact_receipt:${messageId}`,
    recipient: email,
    data,
  } as const;
  const alert = { kind: "owner_contact", dedupeKey: `owner_contact:${messageId}`, data } as const;
  const isSingle = await enqueueOwnerAlert(tx, alert, at);
  if (sendsReceipt) await enqueueMessages(tx, [receipt]);
  // No push notice for suspicious or repeated messages (they get no receipt), nor for a flood of them.
  if (sendsReceipt && isSingle) await notifyDevices(tx, "message", messageId);
}

export async function enqueueContactReply(
  tx: Db,
  reply: { replyId: string; messageId: string; email: string },
): Promise<void> {
  const { replyId, messageId, email } = reply;
  const dedupeKey = replyKey(replyId);
  await enqueueMessages(tx, [
    { kind: "contact_reply", dedupeKey, recipient: email, data: { messageId, replyId } },
  ]);
}

const replyKey = (replyId: string) => `contact_reply:${replyId}`;

export const contactMail = {
  async owner_contact({ db, owner, adminUrl }, message) {
    const contact = await findContactMessage(db, message);
    if (!contact) return "unneeded";
    return {
      ...owner,
      email: {
        kind: "owner_contact",
        reference: contactReference(contact.number),
        name: contact.name,
        email: contact.email,
        about: contactSubjects[contact.subject],
        message: contact.message,
        isSuspicious: contact.suspicion !== null,
        adminUrl: `${adminUrl}/messages/${contact.id}`,
      },
      replyTo: contact.email,
    };
  },
  async contact_receipt({ db }, message) {
    const contact = await findContactMessage(db, message);
    if (!contact) return "unneeded";
    return {
      email: { kind: "contact_receipt", reference: contactReference(contact.number) },
      secret: null,
    };
  },
  async contact_reply({ db }, message) {
    const contact = await findContactMessage(db, message);
    const { replyId } = v.parse(replyData, message.data);
    const [reply] = await db.select().from(contactReplies).where(eq(contactReplies.id, replyId));
    if (!contact || !reply) return "unneeded";
    return {
      email: {
        kind: "contact_reply",
        reference: contactReference(contact.number),
        text: reply.text,
        message: contact.message,
        writtenAt: contact.createdAt.toISOString(),
      },
      secret: null,
      references: await findEarlierMail(db, reply),
      isPersonal: true,
    };
  },
} satisfies Mail;

/** Ids of the e-mails sent to the sender before this reply: the receipt, and earlier replies. */
async function findEarlierMail(db: Db, reply: typeof contactReplies.$inferSelect): Promise<string[]> {
  const earlierReplies = await db
    .select({ id: contactReplies.id })
    .from(contactReplies)
    .where(and(eq(contactReplies.messageId, reply.messageId), lt(contactReplies.createdAt, reply.createdAt)));
  const keys = [
    `contact_receipt:${reply.messageId}`,
    ...earlierReplies.map((message) => replyKey(message.id)),
  ];
  const sentMessages = await db
    .select({ id: messages.id })
    .from(messages)
    .where(and(inArray(messages.dedupeKey, keys), eq(messages.status, "sent")))
    .orderBy(asc(messages.createdAt));
  return sentMessages.map((message) => message.id);
}

/** Null if the message was deleted before its e-mail was sent. */
async function findContactMessage(
  db: Db,
  message: Message,
): Promise<typeof contactMessages.$inferSelect | null> {
  const { messageId } = v.parse(contactData, message.data);
  const [contact] = await db.select().from(contactMessages).where(eq(contactMessages.id, messageId));
  return contact ?? null;
}
