import { and, asc, desc, eq, inArray, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { contactReference } from "../../domain/contact/contact.ts";
import type {
  InboxCounts,
  InboxMessage,
  InboxPage,
  InboxThread,
  ReplyState,
  ThreadMail,
} from "../../domain/contact/inbox.ts";
import { pick } from "../../domain/shared/pick.ts";
import { findCustomerByEmail, readEmails } from "../customers/read.ts";
import { orders } from "../orders/tables.ts";
import { messages } from "../outbox/tables.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { patternsFor, withCustomPlans } from "../platform/database/search.ts";
import { cutPage } from "../platform/http/params.ts";
import { contactMessages, contactReplies } from "./tables.ts";

const maxShownOrders = 5;

type InboxFilter = {
  status?: "open" | "done" | undefined;
  /** True for only the suspicious messages, false for only the others. */
  suspicious?: boolean | undefined;
  /** Words of the message, its sender's name or address, or its reference. */
  q?: string | undefined;
};

/** Newest first. `cursor`: the number of the last message of the previous page. */
export async function listContactMessages(
  db: Database,
  filter: InboxFilter & { limit: number; cursor?: number | undefined },
): Promise<InboxPage> {
  // PostgreSQL's generic plan would be slow for either frequent or rare search words.
  const [rows, counts] = await withCustomPlans(db, async (tx) => [
    await tx
      .select()
      .from(contactMessages)
      .where(
        and(
          filter.status && eq(contactMessages.status, filter.status),
          filter.suspicious === undefined ? undefined : isSuspicious(filter.suspicious),
          filter.q ? contains(filter.q) : undefined,
          filter.cursor === undefined ? undefined : lt(contactMessages.number, filter.cursor),
        ),
      )
      .orderBy(desc(contactMessages.number))
      .limit(filter.limit + 1),
    await countInbox(tx),
  ]);
  const { page, nextCursor } = cutPage(rows, filter.limit, ({ number }) => String(number));
  return { data: await inboxMessages(db, page), nextCursor, counts };
}

export async function findContactMessage(db: Db, id: string): Promise<InboxMessage | null> {
  const [row] = await db.select().from(contactMessages).where(eq(contactMessages.id, id));
  const [message] = row ? await inboxMessages(db, [row]) : [];
  return message ?? null;
}

/** A message with its replies and its sender's orders. */
export async function readThread(db: Db, id: string): Promise<InboxThread | null> {
  const message = await findContactMessage(db, id);
  if (!message) return null;
  const customer = await findCustomerByEmail(db, message.email);
  const emails = customer ? await readEmails(db, customer) : [message.email.toLowerCase()];
  const [replies, senderOrders] = await Promise.all([
    db
      .select()
      .from(contactReplies)
      .where(eq(contactReplies.messageId, id))
      .orderBy(asc(contactReplies.createdAt), asc(contactReplies.id)),
    db
      .select({ id: orders.id, number: orders.number, status: orders.status, createdAt: orders.createdAt })
      .from(orders)
      .where(inArray(sql`lower(${orders.email})`, emails))
      .orderBy(desc(orders.createdAt))
      .limit(maxShownOrders),
  ]);
  const [receipt, mail] = await Promise.all([findReceipt(db, id), replyMail(db, [id])]);
  return {
    ...message,
    customer: customer && pick(customer, "id", "name", "orders", "valueCents"),
    receipt,
    replies: replies.map((reply) => ({
      id: reply.id,
      text: reply.text,
      createdAt: reply.createdAt.toISOString(),
      mail: deliveryMail(mail.filter(({ replyId }) => replyId === reply.id)),
    })),
    orders: senderOrders.map((order) => ({ ...order, createdAt: order.createdAt.toISOString() })),
  };
}

async function findReceipt(db: Db, id: string): Promise<ThreadMail | null> {
  const [receipt] = await db
    .select(mailColumns)
    .from(messages)
    .where(eq(messages.dedupeKey, `contact_receipt:${id}`));
  return receipt ?? null;
}

const mailColumns = pick(messages, "id", "status", "attempts", "lastError");

type ReplyMail = ThreadMail & { contactId: string | null; replyId: string | null };

/** The e-mails with replies to these messages, including repeated ones, oldest first. */
function replyMail(db: Db, contactIds: string[]): Promise<ReplyMail[]> {
  const contactId = sql<string | null>`${messages.data} ->> ${sql.raw("'messageId'")}`;
  return db
    .select({
      ...mailColumns,
      contactId,
      replyId: sql<string | null>`${messages.data} ->> ${sql.raw("'replyId'")}`,
    })
    .from(messages)
    .where(and(inArray(contactId, contactIds), eq(messages.kind, "contact_reply")))
    .orderBy(asc(messages.createdAt), asc(messages.id));
}

/** The e-mail whose status is a reply's delivery state: a sent one, otherwise the latest. */
function deliveryMail(mail: ReplyMail[]): ThreadMail | null {
  const delivery = mail.find(({ status }) => status === "sent") ?? mail.at(-1);
  if (!delivery) return null;
  const { contactId: _, replyId: __, ...rest } = delivery;
  return rest;
}

const replyStateByMail: Record<ThreadMail["status"], ReplyState> = {
  queued: "waits",
  sent: "sent",
  kept: "kept",
  failed: "failed",
  skipped: "failed",
};

/** Messages with the delivery state of their latest replies. A reply whose e-mail was purged counts as sent. */
async function inboxMessages(db: Db, rows: (typeof contactMessages.$inferSelect)[]): Promise<InboxMessage[]> {
  const answeredIds = rows.flatMap(({ id, answeredAt }) => (answeredAt === null ? [] : [id]));
  const mail = answeredIds.length === 0 ? [] : await replyMail(db, answeredIds);
  return rows.map((row) => {
    const replyMails = mail.filter(({ contactId }) => contactId === row.id);
    // Repeating an old reply's e-mail does not make it the latest reply: the order of first e-mails counts.
    const latestReplyId = [...new Set(replyMails.map(({ replyId }) => replyId))].at(-1);
    const delivery = deliveryMail(replyMails.filter(({ replyId }) => replyId === latestReplyId));
    return inboxMessage(
      row,
      row.answeredAt === null ? null : delivery ? replyStateByMail[delivery.status] : "sent",
    );
  });
}

async function countInbox(db: Db): Promise<InboxCounts> {
  const [counts] = await db
    .select({
      open: sql<number>`(count(*) filter (where ${isSuspicious(false)}))::int`,
      unread: sql<number>`(count(*) filter (where ${isSuspicious(false)} and ${isNull(contactMessages.readAt)}))::int`,
      suspicious: sql<number>`(count(*) filter (where ${isSuspicious(true)}))::int`,
    })
    .from(contactMessages)
    .where(eq(contactMessages.status, "open"));
  if (!counts) throw new Error("an aggregate returned no row");
  return counts;
}

/**
 * Matches messages caught by the honeypot. A message that was only sent too fast is listed with the others: its text may be
 * pasted.
 */
function isSuspicious(expected: boolean): SQL {
  return sql`${contactMessages.suspicion} is ${expected ? sql`not distinct` : sql`distinct`} from 'honeypot'`;
}

/** Finds parts of words, too. The expression must match the index `contact_messages_search`. */
function contains(q: string): SQL | undefined {
  const [, number] = /^(?:M-)?(\d{4,9})$/i.exec(q.trim()) ?? [];
  const { name, email, message } = contactMessages;
  return or(
    number === undefined ? undefined : eq(contactMessages.number, Number(number)),
    ...patternsFor(q.trim(), [" ", "\n"]).map(
      (pattern) =>
        sql`(lower(${name}) || ' ' || lower(${email}) || ' ' || lower(${message})) like ${pattern}`,
    ),
  );
}

function inboxMessage(
  { number, createdAt, readAt, answeredAt, ...rest }: typeof contactMessages.$inferSelect,
  reply: ReplyState | null,
): InboxMessage {
  return {
    ...rest,
    reply,
    reference: contactReference(number),
    createdAt: createdAt.toISOString(),
    readAt: readAt?.toISOString() ?? null,
    answeredAt: answeredAt?.toISOString() ?? null,
  };
}
