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
const selectQueued = compiledStatement<{ ids: readonly string[] }, Record<string, unknown>>(
  ({ ids }) => sql`
    select ${messageColumns.columns} from ${messages}
    where ${messages.id} = any(array(select unnest(${ids}::uuid[]))) and ${messages.status} = 'queued'`,
);

/** The queued messages, in the order of the ids; null for a message that was sent, saved or has failed, or does not exist. */
export async function readQueued(db: Db, ids: readonly string[]): Promise<(Message | null)[]> {
  const byId = new Map((await selectQueued(db, { ids })).map((row) => [row.id, messageColumns.read(row)]));
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
  const updatedRows = await db
    .update(messages)
    .set({ ...outcome, attempts: attempts + 1 })
    .where(and(eq(messages.id, id), eq(messages.status, "queued"), eq(messages.attempts, attempts)))
    .returning({ id: messages.id });
  return updatedRows.length > 0;
}

/** Result of sending an e-mail, with the content to store: none if personal data must be erased. */
export type DeliveryResult = {
  message: Message;
  status: "sent" | "kept";
  sentAt: Date;
  content: Pick<Message, "recipient" | "subject" | "html" | "text">;
  /** Whether the message's data is erased, because it contains a token or personal data that must not be kept. */
  isDataErased: boolean;
};

/**
 * `settleMessage` for several e-mails in one statement; skips e-mails settled by other servers. A sent e-mail ends a mail outage.
 * Returns true if the outage lasted a minute or more, so that other e-mails are waiting for a retry.
 */
export async function settleDelivered(db: Db, results: readonly DeliveryResult[]): Promise<boolean> {
  const rows = results.map(({ message: { id, attempts }, content, ...rest }) => ({
    id,
    attempts,
    ...rest,
    ...content,
    html: content.html && packHtml(content.html).toString("base64"),
  }));
  const deliveredRows = await recordDelivered(db, {
    outcomes: JSON.stringify(withInertLinksIn(rows)),
    latestStart: latestStart(results),
  });
  return deliveredRows.some(({ isLong }) => isLong);
}

const recordDelivered = compiledStatement<{ outcomes: string; latestStart: Date }, { isLong: boolean }>(
  ({ outcomes, latestStart }) => sql`
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
        and ${mailOutage.since} <= ${latestStart}::timestamptz as "isLong"
    )
    select "isLong" from ended`,
);

/** Outages that began at this time or earlier are long enough to be reported. */
function latestStart(results: readonly DeliveryResult[]): Date {
  const last = Math.max(...results.map(({ sentAt }) => sentAt.getTime()));
  return new Date(last - mailOutageAfterMs);
}

/** Start of `last_error` if the address does not exist: its server refused the e-mail, or the e-mail came back later. */
export const noAddressPrefix = "No such address: ";
export const returnedPrefix = "It came back: ";

/** Marks a sent e-mail that bounced later. `response`: the mail provider's reason. */
export async function markReturned(db: Db, id: string, response: string): Promise<void> {
  const reason = withoutAddresses(response.replace(/[\s\p{Cc}]+/gu, " ")).slice(0, 200) || "no such address";
  await db
    .update(messages)
    .set({ status: "failed", lastError: `${returnedPrefix}${reason}` })
    .where(and(eq(messages.id, id), eq(messages.status, "sent")));
}
