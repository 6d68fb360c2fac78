import { and, eq, inArray, or, sql } from "drizzle-orm";
import { mailOutageAfterMs } from "../../domain/outbox/mail-outage.ts";
import type { Db } from "../platform/database/database.ts";
import { withInertLinksIn } from "../platform/http/inert-links.ts";
import { mailOutage, messages } from "./tables.ts";

export type Message = typeof messages.$inferSelect;

/** A claim that was not renewed for this long belongs to a dead worker. */
export const claimSeconds = 15;
const renewEveryMs = 5_000;

/** Milliseconds until the claim on a message expires, unless its holder renews it. */
const leftMs = sql<number>`
  ceil(1000 * extract(epoch from ${messages.claimedAt} + make_interval(secs => ${claimSeconds}) - now()))::int`;

export type Claimed = Message | "done" | { busyForMs: number };

/**
 * Claims messages, so that no other worker sends them: hold each with `holdClaim` until it is settled. `done`: already
 * sent, saved or failed, or unknown. Otherwise another worker has it, or died with it: ask again after `busyForMs`.
 * Returns in the order of the ids. A locked message is not waited for, since the others would wait with it.
 */
export async function claimMessages(db: Db, ids: readonly string[]): Promise<Claimed[]> {
  const isAbandoned = and(eq(messages.status, "sending"), sql`${leftMs} <= 0`);
  const free = db.$with("free").as(
    db
      .select({ id: messages.id })
      .from(messages)
      .where(and(isAnyOf(ids), or(eq(messages.status, "queued"), isAbandoned)))
      .for("update", { skipLocked: true }),
  );
  const claimed = await db
    .with(free)
    .update(messages)
    .set({ status: "sending", attempts: sql`${messages.attempts} + 1`, claimedAt: sql`now()` })
    .where(inArray(messages.id, db.select({ id: free.id }).from(free)))
    .returning();
  const mine = new Map(claimed.map((message) => [message.id, message]));
  const missing = ids.filter((id) => !mine.has(id));
  const others = missing.length === 0 ? [] : await stateOf(db, missing);
  const unclaimed = new Map(others.map(({ id, leftMs }) => [id, { busyForMs: Math.max(0, leftMs ?? 0) }]));
  return ids.map((id) => mine.get(id) ?? unclaimed.get(id) ?? "done");
}

/** One statement for any number of ids, so that it is planned once. */
function isAnyOf(ids: readonly string[]) {
  return sql`${messages.id} = any(${sql.param(ids)}::uuid[])`;
}

/** Those of the messages that are still to be sent. */
function stateOf(db: Db, ids: string[]) {
  return db
    .select({ id: messages.id, leftMs })
    .from(messages)
    .where(and(isAnyOf(ids), inArray(messages.status, ["queued", "sending"])));
}

/** Renews a claim while `work` runs, which has to end by itself. */
export async function holdClaim<T>(db: Db, { id, attempts }: Message, work: () => Promise<T>): Promise<T> {
  const mine = and(eq(messages.id, id), eq(messages.status, "sending"), eq(messages.attempts, attempts));
  const renewing = setInterval(() => {
    // The database may be unavailable for a moment; the next renewal comes soon enough.
    db.update(messages)
      .set({ claimedAt: sql`now()` })
      .where(mine)
      .catch(() => null);
  }, renewEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
  }
}

/** Only the claim's holder may record the result; one that was taken over gets false. */
export async function settleClaim(
  db: Db,
  { id, attempts }: Message,
  outcome: Partial<typeof messages.$inferInsert> & { status: Message["status"] },
): Promise<boolean> {
  const settled = await db
    .update(messages)
    .set(outcome)
    .where(and(eq(messages.id, id), eq(messages.status, "sending"), eq(messages.attempts, attempts)))
    .returning({ id: messages.id });
  return settled.length > 0;
}

/** Result of sending an e-mail, with its content unless personal data must be erased. */
export type Delivered = {
  message: Message;
  status: "sent" | "kept";
  sentAt: Date;
  content: Pick<Message, "recipient" | "subject" | "html" | "text">;
  /** Its data holds a secret, or something personal that must not stay. */
  isDataErased: boolean;
};

/**
 * `settleClaim` for several e-mails in one statement; those whose claim was taken over are skipped. A sent e-mail ends an
 * outage of mail. True: the outage lasted a minute or more, so other e-mails wait for a retry.
 */
export async function settleDelivered(db: Db, delivered: readonly Delivered[]): Promise<boolean> {
  const rows = delivered.map(({ message: { id, attempts }, content, ...rest }) => ({
    id,
    attempts,
    ...content,
    ...rest,
  }));
  const { rows: ended } = await db.execute<{ isLong: boolean }>(sql`
    with outcome as (
      select outcome.* from json_to_recordset(${JSON.stringify(withInertLinksIn(rows))}::json) as outcome(id uuid, attempts int, status text,
        "sentAt" timestamptz, recipient text, subject text, html text, text text, "isDataErased" boolean)
      join ${messages} on messages.id = outcome.id and messages.attempts = outcome.attempts and messages.status = 'sending'
      order by outcome.id for update of messages
    ), ended as (
      delete from ${mailOutage} where exists (select from outcome where status = 'sent')
      returning ${mailOutage.onlyRecipientHash} is null
        and ${mailOutage.since} <= ${endsAt(delivered)}::timestamptz as "isLong"
    ), settled as (
    update ${messages} set status = outcome.status, sent_at = outcome."sentAt", last_error = null,
      recipient = outcome.recipient, subject = outcome.subject, html = outcome.html, text = outcome.text,
      data = case when outcome."isDataErased" then null else messages.data end
    from outcome where messages.id = outcome.id
    )
    select "isLong" from ended`);
  return ended.some(({ isLong }) => isLong);
}

/** Outages that began before this time are long enough to be reported. */
function endsAt(delivered: readonly Delivered[]): string {
  const last = Math.max(...delivered.map(({ sentAt }) => sentAt.getTime()));
  return new Date(last - mailOutageAfterMs).toISOString();
}
