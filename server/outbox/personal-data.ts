import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, ne, or, type SQL, sql } from "drizzle-orm";
import type { MessageStatus } from "../../domain/outbox/outbox.ts";
import { sentMailYears } from "../../domain/privacy/retention.ts";
import { pick } from "../../domain/shared/pick.ts";
import type { ShopContext } from "../context.ts";
import type { Person, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { batchRows, inBatches } from "../platform/database/in-batches.ts";
import { lockSending } from "./enqueue.ts";
import { deleteSavedMail, listSavedMail } from "./mail-folder.ts";
import { hashEmail } from "./optouts.ts";
import { emailOptouts, type MessageKind, messages, type OptionalKind } from "./tables.ts";

/** The kind that confirms an erasure, whose personal data must be erased as well. */
const deletionReceipt: MessageKind = "data_deleted";
const dayMs = 24 * 60 * 60 * 1000;
const deletionReceiptRetentionMs = dayMs;
const sentMailRetentionMs = sentMailYears * 365 * dayMs;
const finalStatuses: MessageStatus[] = ["sent", "kept", "failed", "skipped"];

export function isErasedOnceSent(kind: MessageKind): boolean {
  return kind === deletionReceipt;
}

/**
 * Kinds whose link works once, or gives access without signing in. Their data is erased after sending, and their stored content
 * lacks the link.
 */
export function holdsSecret(kind: MessageKind): boolean {
  return secretKinds.includes(kind);
}
const secretKinds: MessageKind[] = [
  "order_lookup",
  "data_export",
  "data_deletion",
  "cart_reminder",
  "stock_alert_confirm",
  "newsletter_confirm",
  "panel_invitation",
];

/** Values that erase a message's personal data. The row stays, as a record that it was sent. */
export const withoutPersonalData = {
  recipient: null,
  subject: null,
  html: null,
  text: null,
  data: null,
} as const;

/** E-mails sent to the address, as text. */
export async function exportMessages(db: Db, { email }: Person, limit: number) {
  const { kind, orderId, status, createdAt, sentAt, subject, text } = messages;
  return db
    .select({ kind, orderId, status, createdAt, sentAt, subject, text })
    .from(messages)
    .where(eq(sql`lower(${messages.recipient})`, email))
    .orderBy(asc(messages.createdAt), asc(messages.id))
    .limit(limit);
}

/** The kinds of e-mail that the address has unsubscribed from. */
export async function exportOptouts(db: Db, email: string): Promise<OptionalKind[]> {
  const rows = await db
    .select({ kind: emailOptouts.kind })
    .from(emailOptouts)
    .where(eq(emailOptouts.emailHash, hashEmail(email)))
    .orderBy(emailOptouts.kind);
  return rows.map(({ kind }) => kind);
}

/**
 * Erases mail to a person's address created up to a time, and mail about their finished orders. Queued mail about other orders
 * stays. Files are deleted first: after a failure the erasure is repeated and skips missing files. Other servers delete their
 * files when they are notified.
 */
export async function eraseMessages(
  tx: Db,
  person: PersonToErase,
  { mailFolder }: ShopContext,
): Promise<void> {
  const isAboutPerson = or(
    inArray(messages.orderId, person.finishedOrderIds),
    and(eq(sql`lower(${messages.recipient})`, person.email), lte(messages.createdAt, person.until)),
  );
  await eraseUnneeded(tx, isAboutPerson, person, mailFolder);
}

/** Erases mail about contact messages, reviews or questions of a person. */
export async function eraseMailAbout(
  tx: Db,
  { subject, ids, person }: { subject: Subject; ids: string[]; person: PersonToErase },
  mailFolder: string,
): Promise<void> {
  if (ids.length === 0) return;
  const isAboutPerson = subject === "messageId" ? isAboutContact(ids) : isAbout(subject, ids);
  await eraseUnneeded(tx, isAboutPerson, person, mailFolder);
}

async function eraseUnneeded(
  tx: Db,
  isAboutPerson: SQL | undefined,
  { finishedOrderIds }: PersonToErase,
  mailFolder: string,
): Promise<void> {
  const isNotNeeded = or(
    inArray(messages.status, finalStatuses),
    isNull(messages.orderId),
    inArray(messages.orderId, finishedOrderIds),
  );
  const where = and(isAboutPerson, isNotNeeded, ne(messages.kind, deletionReceipt));
  if (!(await eraseWhere(tx, where, mailFolder)))
    throw new Error("an email to be erased is being sent just now");
}

/**
 * Erases mail about contact messages. Returns the contact messages whose mail is being sent; their mail is not erased.
 */
export async function eraseContactMail(
  tx: Db,
  contactIds: readonly string[],
  mailFolder: string,
): Promise<ReadonlySet<string>> {
  const rows = await lockMessages(tx, isAboutContact(contactIds));
  const busyContactIds = new Set(rows.filter(isBeingSent).map(({ contactId }) => contactId ?? ""));
  const idle = rows.filter(({ contactId }) => !busyContactIds.has(contactId ?? ""));
  await eraseRows(tx, idle, mailFolder);
  return busyContactIds;
}

/** Compares the data, because resent copies have other dedupe keys. */
function isAboutContact(contactIds: readonly string[]): SQL | undefined {
  const keys = contactIds.flatMap((id) => [`owner_contact:${id}`, `contact_receipt:${id}`]);
  return or(inArray(messages.dedupeKey, keys), isAbout("messageId", contactIds));
}

/** Erases mail about questions. False if some is being sent, so none is erased. */
export async function eraseQuestionMail(
  tx: Db,
  ids: readonly number[],
  mailFolder: string,
): Promise<boolean> {
  return eraseWhere(tx, isAbout("questionId", ids.map(String)), mailFolder);
}

type Subject = "messageId" | "reviewId" | "questionId";

function isAbout(field: Subject, ids: readonly string[]): SQL | undefined {
  return ids.length === 0 ? undefined : inArray(dataField(field), ids);
}

function dataField(field: Subject): SQL<string | null> {
  return sql<string | null>`${messages.data} ->> ${sql.raw(`'${field}'`)}`;
}

/** Erases the selected mail. False if some is being sent, so none is erased. */
async function eraseWhere(tx: Db, where: SQL | undefined, mailFolder: string): Promise<boolean> {
  const rows = await lockMessages(tx, where);
  if (rows.some(isBeingSent)) return false;
  await eraseRows(tx, rows, mailFolder);
  return true;
}

type LockedMessage = Awaited<ReturnType<typeof lockMessages>>[number];

const isBeingSent = ({ isSending }: LockedMessage) => isSending;

async function eraseRows(tx: Db, rows: LockedMessage[], mailFolder: string): Promise<void> {
  for (const row of rows) await deleteSavedMail(mailFolder, row);
  const ids = rows.map(({ id }) => id);
  await tx
    .update(messages)
    .set({
      ...withoutPersonalData,
      lastError: null,
      status: sql`case when ${messages.status} = 'queued' then 'failed' else ${messages.status} end`,
    })
    .where(inArray(messages.id, ids));
  if (rows.length > 0) await notifyOfErasedMail(tx);
}

/** Locks messages, so that no server starts to send them before the transaction ends. */
async function lockMessages(tx: Db, where: SQL | undefined) {
  const rows = await tx
    .select({
      ...pick(messages, "id", "kind", "createdAt", "status"),
      contactId: dataField("messageId"),
    })
    .from(messages)
    .where(where)
    .orderBy(messages.id)
    .for("update");
  const queuedIds = rows.flatMap(({ id, status }) => (status === "queued" ? [id] : []));
  const jobs = await lockSending(tx, queuedIds);
  return rows.map((row) => ({ ...row, isSending: jobs.get(row.id)?.isRunning ?? false }));
}

/**
 * Erases content and address of old e-mails about orders, but keeps their rows, so that none is sent twice. Deletes other old
 * e-mails.
 */
export async function purgeOldMail({ db, now, mailFolder }: ShopContext): Promise<void> {
  const isOld = and(
    lt(messages.createdAt, new Date(now().getTime() - sentMailRetentionMs)),
    inArray(messages.status, finalStatuses),
  );
  await dropMessages(db, and(isNull(messages.orderId), isOld), mailFolder);
  const hasContent = or(isNotNull(messages.subject), isNotNull(messages.text), isNotNull(messages.data));
  await forEachBatch(db, and(isOld, hasContent), mailFolder, (matchesBatch) =>
    db.update(messages).set(withoutPersonalData).where(matchesBatch),
  );
}

/** Deletes the rows of deletion receipts after a day, and their files if they were only saved. */
export async function purgeDeletionReceipts({ db, now, mailFolder }: ShopContext): Promise<void> {
  const isExpired = and(
    eq(messages.kind, deletionReceipt),
    inArray(messages.status, finalStatuses),
    lt(messages.createdAt, new Date(now().getTime() - deletionReceiptRetentionMs)),
  );
  await dropMessages(db, isExpired, mailFolder);
}

async function dropMessages(db: Db, where: SQL | undefined, mailFolder: string): Promise<void> {
  await forEachBatch(db, where, mailFolder, (matchesBatch) => db.delete(messages).where(matchesBatch));
}

/** Deletes files before `erase` changes the rows, so that the next run can continue an interrupted one. */
async function forEachBatch(
  db: Db,
  where: SQL | undefined,
  mailFolder: string,
  erase: (matchesBatch: SQL) => Promise<unknown>,
): Promise<void> {
  await inBatches(async () => {
    const rows = await db.select().from(messages).where(where).limit(batchRows);
    for (const row of rows) await deleteSavedMail(mailFolder, row);
    const ids = rows.map(({ id }) => id);
    await erase(inArray(messages.id, ids));
    if (rows.length > 0) await notifyOfErasedMail(db);
    return rows.length;
  });
}

/** Makes every server delete its files of erased mail. */
async function notifyOfErasedMail(db: Db): Promise<void> {
  await db.execute(sql`select pg_notify('shop_changed', 'kept_mail')`);
}

/**
 * Deletes this server's files of messages that were erased or purged on any server. A file whose message is not in the
 * database is deleted only after its retention period: DATA_DIR may belong to another database.
 */
export async function tidyMailFolder({ db, now, mailFolder }: ShopContext): Promise<void> {
  const savedMail = await listSavedMail(mailFolder);
  for (let from = 0; from < savedMail.length; from += batchRows) {
    const batch = savedMail.slice(from, from + batchRows);
    const ids = batch.map(({ id }) => id);
    const rows = await db
      .select({
        id: messages.id,
        isErased: sql<boolean>`${messages.text} is null and ${messages.kind} <> ${deletionReceipt}
          and ${inArray(messages.status, finalStatuses)}`,
      })
      .from(messages)
      .where(inArray(messages.id, ids));
    const isErased = new Map(rows.map((row) => [row.id, row.isErased]));
    for (const message of batch) {
      const retentionMs = message.kind === deletionReceipt ? deletionReceiptRetentionMs : sentMailRetentionMs;
      const isPastRetention = message.createdAt.getTime() + retentionMs < now().getTime();
      if (isErased.get(message.id) ?? isPastRetention) await deleteSavedMail(mailFolder, message);
    }
  }
}
