import { and, asc, desc, eq, inArray, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { contactReference } from "../../domain/contact/contact.ts";
import type {
  InboxCounts,
  InboxMessage,
  InboxPage,
  InboxThread,
  ThreadMail,
} from "../../domain/contact/inbox.ts";
import { customerOf, emailsOf } from "../customers/read.ts";
import { orders } from "../orders/tables.ts";
import { messages } from "../outbox/tables.ts";
import { withCustomPlans } from "../platform/database/custom-plans.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { patternsFor } from "../platform/database/like.ts";
import { contactMessages, contactReplies } from "./tables.ts";

const ordersShownMax = 5;

export type InboxFilter = {
  status?: "open" | "done" | undefined;
  /** True: only those that look automatic; false: only the others. */
  suspicious?: boolean | undefined;
  /** Words of it, its sender's name or address, or its reference. */
  q?: string | undefined;
};

/** Newest first. `cursor` is the number of the last message of the page before. */
export async function listContactMessages(
  db: Database,
  page: InboxFilter & { limit: number; cursor?: number | undefined },
): Promise<InboxPage> {
  // A plan that is right for a word of every message is wrong for one of none.
  const [rows, counts] = await withCustomPlans(db, async (tx) => [
    await tx
      .select()
      .from(contactMessages)
      .where(
        and(
          page.status && eq(contactMessages.status, page.status),
          page.suspicious === undefined ? undefined : isSuspicious(page.suspicious),
          page.q ? contains(page.q) : undefined,
          page.cursor === undefined ? undefined : lt(contactMessages.number, page.cursor),
        ),
      )
      .orderBy(desc(contactMessages.number))
      .limit(page.limit + 1),
    await countInbox(tx),
  ]);
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  return {
    data: shown.map(inboxMessage),
    nextCursor: rows.length > page.limit && last ? String(last.number) : null,
    counts,
  };
}

export async function findContactMessage(db: Db, id: string): Promise<InboxMessage | null> {
  const [row] = await db.select().from(contactMessages).where(eq(contactMessages.id, id));
  return row ? inboxMessage(row) : null;
}

/** A message with what was answered to it, and its sender's orders. */
export async function readThread(db: Db, id: string): Promise<InboxThread | null> {
  const message = await findContactMessage(db, id);
  if (!message) return null;
  const customer = await customerOf(db, message.email);
  const emails = customer ? await emailsOf(db, customer) : [message.email.toLowerCase()];
  const [replies, theirOrders] = await Promise.all([
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
      .limit(ordersShownMax),
  ]);
  const receiptKey = `contact_receipt:${id}`;
  const mail = await mailByKey(db, [receiptKey, ...replies.map((reply) => replyKey(reply.id))]);
  return {
    ...message,
    customer: customer && {
      id: customer.id,
      name: customer.name,
      orders: customer.orders,
      valueCents: customer.valueCents,
    },
    receipt: mail.get(receiptKey) ?? null,
    replies: replies.map((reply) => ({
      id: reply.id,
      text: reply.text,
      createdAt: reply.createdAt.toISOString(),
      mail: mail.get(replyKey(reply.id)) ?? null,
    })),
    orders: theirOrders.map((order) => ({ ...order, createdAt: order.createdAt.toISOString() })),
  };
}

const replyKey = (replyId: string) => `contact_reply:${replyId}`;

async function mailByKey(db: Db, keys: string[]): Promise<Map<string, ThreadMail>> {
  const rows = await db
    .select({
      key: messages.dedupeKey,
      id: messages.id,
      status: messages.status,
      lastError: messages.lastError,
    })
    .from(messages)
    .where(inArray(messages.dedupeKey, keys));
  return new Map(rows.map(({ key, ...mail }) => [key, mail]));
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

/** Kept apart is only what filled in the hidden field: whoever pastes a message may be as fast as a robot. */
function isSuspicious(is: boolean): SQL {
  return sql`${contactMessages.suspicion} is ${is ? sql`not distinct` : sql`distinct`} from 'honeypot'`;
}

/** Words in the middle of others count too: the expression is that of the index `contact_messages_search`. */
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

function inboxMessage({
  number,
  createdAt,
  readAt,
  answeredAt,
  ...rest
}: typeof contactMessages.$inferSelect): InboxMessage {
  return {
    ...rest,
    reference: contactReference(number),
    createdAt: createdAt.toISOString(),
    readAt: readAt?.toISOString() ?? null,
    answeredAt: answeredAt?.toISOString() ?? null,
  };
}
