import { and, eq, sql } from "drizzle-orm";
import { mailOutageAfterMs } from "../../domain/outbox/mail-outage.ts";
import { compiledStatement, selectAll } from "../platform/database/compiled-statement.ts";
import type { Db } from "../platform/database/database.ts";
import { packHtml } from "../platform/database/packed-html.ts";
import { withInertLinksIn } from "../platform/http/inert-links.ts";
import { withoutAddresses } from "./smtp.ts";
import { mailOutage, messages } from "./tables.ts";

export type Message = typeof messages.$inferSelect;

const messageColumns = selectAll(messages);
/** Compiled for an array, so that one plan serves any number of ids. */
const queued = compiledStatement<{ ids: readonly string[] }, Record<string, unknown>>(
  ({ ids }) => sql`
    select ${messageColumns.columns} from ${messages}
    where ${messages.id} = any(array(select unnest(${ids}::uuid[]))) and ${messages.status} = 'queued'`,
);

/** The queued messages, in the order of the ids; null for a message that was sent, saved or has failed, or does not exist. */
export async function readQueued(db: Db, ids: readonly string[]): Promise<(Message | null)[]> {
  const byId = new Map((await queued(db, { ids })).map((row) => [row.id, messageColumns.read(row)]));
  return ids.map((id) => byId.get(id) ?? null);
}

/**
 * Records the result of an attempt. False if another server took over the job's lease and has recorded a result since the
 * message was read.
 */
export async function settleMessage(
  db: Db,
  { id, attempts }: Message,
  outcome: Partial<typeof messages.$inferInsert> & { status: Message["status"] },
): Promise<boolean> {
  const settled = await db
    .update(messages)
    .set({ ...outcome, attempts: attempts + 1 })
    .where(and(eq(messages.id, id), eq(messages.status, "queued"), eq(messages.attempts, attempts)))
    .returning({ id: messages.id });
  return settled.length > 0;
}

/** Result of sending an e-mail, with its content unless personal data must be erased. */
export type Delivered = {
  message: Message;
  status: "sent" | "kept";
  sentAt: Date;
  content: Pick<Message, "recipient" | "subject" | "html" | "text">;
  /** The message's data contains a token or personal data that must not be kept. */
  isDataErased: boolean;
};

/**
 * `settleMessage` for several e-mails in one statement; skips those settled by others. A sent e-mail ends a mail outage. True:
 * the outage lasted a minute or more, so that other e-mails wait for a retry.
 */
export async function settleDelivered(db: Db, delivered: readonly Delivered[]): Promise<boolean> {
  const rows = delivered.map(({ message: { id, attempts }, content, ...rest }) => ({
    id,
    attempts,
    ...rest,
    ...content,
    html: content.html && packHtml(content.html).toString("base64"),
  }));
  const deliveredRows = await recordDelivered(db, {
    outcomes: JSON.stringify(withInertLinksIn(rows)),
    endsAt: endsAt(delivered),
  });
  return deliveredRows.some(({ isLong }) => isLong);
}

const recordDelivered = compiledStatement<{ outcomes: string; endsAt: Date }, { isLong: boolean }>(
  ({ outcomes, endsAt }) => sql`
    with outcome as (
      select * from json_to_recordset(${outcomes}::json) as outcome(id uuid, attempts int, status text,
        "sentAt" timestamptz, recipient text, subject text, html text, text text, "isDataErased" boolean)
      order by id
    ), settled as (
      update ${messages} set status = outcome.status, sent_at = outcome."sentAt", last_error = null,
        attempts = outcome.attempts + 1,
        recipient = outcome.recipient, subject = outcome.subject, html = decode(outcome.html, 'base64'), text = outcome.text,
        data = case when outcome."isDataErased" then null else messages.data end
      from outcome where messages.id = outcome.id and messages.attempts = outcome.attempts and messages.status = 'queued'
      returning messages.status
    ), ended as (
      delete from ${mailOutage} where exists (select from settled where status = 'sent')
      returning ${mailOutage.onlyRecipientHash} is null
        and ${mailOutage.since} <= ${endsAt}::timestamptz as "isLong"
    )
    select "isLong" from ended`,
);

/** Outages that began before this time are long enough to be reported. */
function endsAt(delivered: readonly Delivered[]): Date {
  const last = Math.max(...delivered.map(({ sentAt }) => sentAt.getTime()));
  return new Date(last - mailOutageAfterMs);
}

/** Start of `last_error` if the address does not exist: its server refused the e-mail, or the e-mail came back later. */
export const noAddressPrefix = "No such address: ";
export const returnedPrefix = "It came back: ";

/** Marks a sent e-mail that came back later. `response`: the mail provider's reason. */
export async function markReturned(db: Db, id: string, response: string): Promise<void> {
  const reason = withoutAddresses(response.replace(/[\s\p{Cc}]+/gu, " ")).slice(0, 200) || "no such address";
  await db
    .update(messages)
    .set({ status: "failed", lastError: `${returnedPrefix}${reason}` })
    .where(and(eq(messages.id, id), eq(messages.status, "sent")));
}
