import { randomUUID } from "node:crypto";
import { eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import { isTextKind } from "../../domain/outbox/text-message.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import type { BaseContext } from "../platform/base-context.ts";
import { insertFromJson } from "../platform/database/compiled-statement.ts";
import type { Db } from "../platform/database/database.ts";
import { addJobs, defineJob, hasGivenUp, jobRequest, queueJobsForRows } from "../platform/jobs/jobs.ts";
import { type MessageKind, messages } from "./tables.ts";

/** Sends one message of the outbox. 12 attempts span about 16 hours; texts have fewer (texts.ts). */
export const sendMessageJob = defineJob({
  name: "send_message",
  payload: v.object({ messageId: uuidSchema }),
  lane: "mail",
  priority: 0,
  maxAttempts: 12,
});

/** A message to be sent. The owner's messages and confirmations get their recipient when they are sent. */
export type NewMessage = {
  kind: MessageKind;
  /** A second message with the same key is not inserted. */
  dedupeKey: string;
  recipient?: string;
  orderId?: string | null;
  data?: Record<string, string>;
  /** Set if the caller needs to know the id; otherwise generated. */
  id?: string;
  /** Id of the message of which this is a copy, sent again by the owner. */
  copyOf?: string;
};

/**
 * Inserts messages and the jobs that send them, in one statement; existing messages are not changed. If `sendAt` is set, they are
 * sent at that time and can be withdrawn until then; otherwise they are sent immediately.
 */
export async function enqueueMessages(
  db: Db,
  newMessages: readonly NewMessage[],
  sendAt: Date | null = null,
): Promise<void> {
  const insert = insertedMessages(messageRows(newMessages));
  if (sendAt !== null) {
    const { rows: inserted } = await db.execute<{ id: string }>(insert);
    const options = { runAt: sendAt };
    await addJobs(
      db,
      inserted.map(({ id }) => jobRequest(sendMessageJob, { messageId: id }, options)),
    );
    return;
  }
  await queueJobsForRows(
    db,
    sendMessageJob,
    sql`select json_build_object('messageId', id) from inserted`,
    sql`with inserted as (${insert})`,
  );
}

/** Query that inserts messages (`messageRows`) and returns the `id` of each that is new. */
export function insertedMessages(rows: string | Placeholder, when = sql`true`): SQL {
  return sql`${insertFromJson(messages, messageColumns, rows)} where ${when} on conflict do nothing returning id`;
}

const messageColumns = [
  "id",
  "kind",
  "channel",
  "dedupeKey",
  "recipient",
  "orderId",
  "data",
  "copyOf",
] as const;

/** The rows to insert, as JSON text. */
export function messageRows(newMessages: readonly NewMessage[]): string {
  return JSON.stringify(
    newMessages.map((message) => ({
      id: randomUUID(),
      channel: isTextKind(message.kind) ? "sms" : "email",
      ...message,
    })),
  );
}

type Sending = { isRunning: boolean; attempts: number };

/**
 * Locks the jobs that send these messages, so that no server starts one before the transaction ends. `isRunning`: a server
 * is sending it now. A message that was sent, or that failed, has no job.
 */
export async function lockSending(tx: Db, ids: readonly string[]): Promise<ReadonlyMap<string, Sending>> {
  if (ids.length === 0) return new Map();
  const { rows } = await tx.execute<Sending & { id: string }>(sql`
    select payload ->> 'messageId' as id, attempts, coalesce(leased_until > now(), false) as "isRunning" from jobs
    where name = ${sendMessageJob.name} and payload ->> 'messageId' = any(${sql.param(ids)}) for update`);
  return new Map(rows.map(({ id, ...sending }) => [id, sending]));
}

/**
 * Withdraws a queued message; its job then finds nothing to do. `gone`: the message is being sent, or was sent; `none`: there
 * is no such message.
 */
export async function withdrawMessage(tx: Db, dedupeKey: string): Promise<"withdrawn" | "gone" | "none"> {
  const [message] = await tx
    .select({ id: messages.id, status: messages.status, attempts: messages.attempts })
    .from(messages)
    .where(eq(messages.dedupeKey, dedupeKey))
    .for("update");
  if (!message) return "none";
  const { id, status, attempts } = message;
  const jobAttempts = (await lockSending(tx, [id])).get(id)?.attempts ?? 0;
  if (status !== "queued" || attempts + jobAttempts > 0) return "gone";
  await tx.delete(messages).where(eq(messages.id, id));
  return "withdrawn";
}

/** A queued message that has no job after this time is stuck: until its last attempt it always has one. */
const stuckAfter = sql`interval '1 hour'`;

/**
 * Queues messages again whose last attempt was interrupted by a killed process; otherwise they would neither be sent nor fail.
 */
export async function requeueStuck({ db, now }: Pick<BaseContext, "db" | "now">): Promise<void> {
  const stuck = sql`
    select json_build_object('messageId', ${messages.id}) from ${messages}
    where ${messages.status} = 'queued' and ${messages.createdAt} < ${now().toISOString()}::timestamptz - ${stuckAfter}
      and not exists (
        select from jobs where jobs.payload ->> 'messageId' = ${messages.id}::text and not ${hasGivenUp}
      )`;
  await queueJobsForRows(db, sendMessageJob, stuck);
}

/** Enqueues a test e-mail to the owner, a new one each time, sent like any other. Returns its id. */
export async function queueTestEmail(db: Db): Promise<string> {
  const id = randomUUID();
  await enqueueMessages(db, [{ id, kind: "test_email", dedupeKey: `test_email:${id}` }]);
  return id;
}
