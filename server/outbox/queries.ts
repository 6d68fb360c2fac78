import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type {
  MessageChannel,
  MessageKind,
  MessageStatus,
  OutboxEntry,
  OutboxMessage,
  OutboxPage,
} from "../../domain/outbox/outbox.ts";
import { pick } from "../../domain/shared/pick.ts";
import { isDate } from "../../domain/shared/zoned-days.ts";
import { orders } from "../orders/tables.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { withCustomPlans } from "../platform/database/search.ts";
import { cutPage } from "../platform/http/params.ts";
import { resendProblem } from "./resend.ts";
import { messages } from "./tables.ts";

const cursorPattern =
  /^(\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Cursor of a page: the time of its last message, to the microsecond, and its id. */
export function isOutboxCursor(text: string): boolean {
  return cursorPattern.test(text) && isDate(text.slice(0, 10));
}

type OutboxFilter = {
  status?: MessageStatus | undefined;
  channel?: MessageChannel | undefined;
  kind?: MessageKind | undefined;
  /** A whole e-mail address, or an order's number. */
  q?: string | undefined;
};

const entryColumns = {
  ...pick(
    messages,
    "id",
    "kind",
    "channel",
    "recipient",
    "orderId",
    "subject",
    "status",
    "delivery",
    "attempts",
    "lastError",
    "createdAt",
    "sentAt",
    "copyOf",
  ),
  orderNumber: orders.number,
};

/** All messages, newest first. */
export async function listOutbox(
  db: Database,
  filter: OutboxFilter & { limit: number; cursor?: string | undefined },
): Promise<OutboxPage> {
  // Failures are rare: a plan for an unknown status would scan all messages.
  const rows = await withCustomPlans(db, (tx) =>
    tx
      .select({
        ...entryColumns,
        position: sql<string>`to_char(${messages.createdAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
      })
      .from(messages)
      .leftJoin(orders, eq(orders.id, messages.orderId))
      .where(
        and(
          filter.status && eq(messages.status, filter.status),
          filter.channel && eq(messages.channel, filter.channel),
          filter.kind && eq(messages.kind, filter.kind),
          filter.q ? matchesSearch(filter.q) : undefined,
          filter.cursor === undefined ? undefined : isAfter(filter.cursor),
        ),
      )
      .orderBy(desc(messages.createdAt), desc(messages.id))
      .limit(filter.limit + 1),
  );
  const { page, nextCursor } = cutPage(rows, filter.limit, ({ position, id }) => `${position}_${id}`);
  return { data: page.map(({ position: _, ...row }) => outboxEntry(row)), nextCursor };
}

/** Messages that wait to be sent, for /metrics. */
type OutboxBacklog = { channel: MessageChannel; waiting: number; oldestSeconds: number };

export async function readBacklog(db: Db): Promise<OutboxBacklog[]> {
  const { rows } = await db.execute<OutboxBacklog>(sql`
    select ${messages.channel}, count(*)::int as waiting,
      extract(epoch from now() - min(${messages.createdAt}))::float as "oldestSeconds"
    from ${messages} where ${messages.status} = 'queued'
    group by ${messages.channel}`);
  return rows;
}

/** A message as it was sent; null for an unknown id. */
export async function findOutboxMessage(db: Db, id: string): Promise<OutboxMessage | null> {
  const [row] = await db
    .select({ ...entryColumns, html: messages.html, text: messages.text, data: messages.data })
    .from(messages)
    .leftJoin(orders, eq(orders.id, messages.orderId))
    .where(eq(messages.id, id));
  if (!row) return null;
  const { html, text, data, ...entry } = row;
  return { ...outboxEntry(entry), html, text, resendProblem: resendProblem({ ...entry, data }) };
}

function outboxEntry(
  row: Omit<OutboxEntry, "createdAt" | "sentAt"> & { createdAt: Date; sentAt: Date | null },
): OutboxEntry {
  return { ...row, createdAt: row.createdAt.toISOString(), sentAt: row.sentAt?.toISOString() ?? null };
}

function matchesSearch(q: string): SQL {
  const [, number] = /^#?(\d{1,9})$/.exec(q) ?? [];
  return number === undefined
    ? eq(sql`lower(${messages.recipient})`, q.toLowerCase())
    : eq(
        messages.orderId,
        sql`(select ${orders.id} from ${orders} where ${orders.number} = ${Number(number)})`,
      );
}

function isAfter(cursor: string): SQL {
  const [, at, id] = cursorPattern.exec(cursor) ?? [];
  return sql`(${messages.createdAt}, ${messages.id}) < (${at}::timestamptz, ${id}::uuid)`;
}
