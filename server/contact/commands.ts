import { randomUUID } from "node:crypto";
import { and, eq, inArray, isNull, lt, ne, sql } from "drizzle-orm";
import { type ContactRequest, suspicionOf } from "../../domain/contact/contact.ts";
import { answeredMessageYears, honeypotMessageDays } from "../../domain/privacy/retention.ts";
import type { ShopContext } from "../context.ts";
import { eraseContactMail } from "../outbox/personal-data.ts";
import { mayMailStranger } from "../outbox/sent-often.ts";
import type { Db } from "../platform/database/database.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import { enqueueContactMessage } from "./mail.ts";
import { contactMessages } from "./tables.ts";

const hourMs = 60 * 60 * 1000;
const keptDoneMs = answeredMessageYears * 365 * 24 * hourMs;
const keptHoneypotMs = honeypotMessageDays * 24 * hourMs;

/** Keeps a message, whatever it looks like, and has the mails about it sent in the same transaction. */
export async function sendContactMessage(
  { db, now }: ShopContext,
  request: ContactRequest,
): Promise<{ id: string; number: number }> {
  const { name, email, subject, message } = request;
  const suspicion = suspicionOf(request);
  const createdAt = now();
  return db.transaction(async (tx) => {
    const id = randomUUID();
    const [kept] = await tx
      .insert(contactMessages)
      .values({ id, name, email, subject, message, suspicion, createdAt })
      .returning({ number: contactMessages.number });
    if (!kept) throw new Error("a message was written without its number");
    // Anybody can write somebody else's address into the form.
    const isAnswered =
      suspicion === null && (await mayMailStranger(tx, { kind: "contact_receipt", email, now: createdAt }));
    await enqueueContactMessage(tx, { messageId: id, email, isAnswered, at: createdAt });
    return { id, number: kept.number };
  });
}

/** Marks a message; false: there is no such message. */
export async function updateContactMessage(
  { db, now }: ShopContext,
  change: { id: string; status?: "open" | "done" | undefined; read?: boolean | undefined },
): Promise<boolean> {
  const changed = await db
    .update(contactMessages)
    .set({
      ...(change.status === undefined ? {} : { status: change.status }),
      // The first reading counts.
      ...(change.read === undefined
        ? {}
        : { readAt: change.read ? sql`coalesce(${contactMessages.readAt}, ${now()})` : null }),
    })
    .where(eq(contactMessages.id, change.id))
    .returning({ id: contactMessages.id });
  return changed.length > 0;
}

type Numbered = { id: string; number: number };

/** Marks several messages as done or open; answers those that were not yet, by number. */
export async function markContactMessages(
  db: Db,
  ids: readonly string[],
  status: "open" | "done",
): Promise<Numbered[]> {
  const { id, number } = contactMessages;
  const marked = await db
    .update(contactMessages)
    .set({ status })
    .where(and(inArray(id, ids), ne(contactMessages.status, status)))
    .returning({ id, number });
  return byNumber(marked);
}

/**
 * Deletes messages with their answers and what the outbox has about them; those for which that has to wait (`busy`: an
 * e-mail is being sent just now) stay whole. Answers both by number; what is in neither was gone.
 */
export async function deleteContactMessages(
  { db, mailFolder }: ShopContext,
  { ids }: { ids: readonly string[] },
): Promise<{ deleted: Numbered[]; busy: Numbered[] }> {
  const { id, number } = contactMessages;
  return db.transaction(async (tx) => {
    const found = await tx
      .select({ id, number })
      .from(contactMessages)
      .where(inArray(id, ids))
      .orderBy(id)
      .for("update");
    const busyIds = await eraseContactMail(
      tx,
      found.map((message) => message.id),
      mailFolder,
    );
    const busy = found.filter((message) => busyIds.has(message.id));
    const deleted = found.filter((message) => !busyIds.has(message.id));
    await tx.delete(contactMessages).where(
      inArray(
        id,
        deleted.map((message) => message.id),
      ),
    );
    return { deleted: byNumber(deleted), busy: byNumber(busy) };
  });
}

function byNumber(messages: Numbered[]): Numbered[] {
  return messages.sort((a, b) => a.number - b.number);
}

/** Deletes messages that were done with and are older than two years; and sooner what only a robot can have sent. */
export async function purgeContactMessages({ db, now: clock }: ShopContext): Promise<void> {
  const now = clock();
  // Literally, as their indexes have it.
  const isOld = (ms: number) => lt(contactMessages.createdAt, new Date(now.getTime() - ms));
  await deleteInBatches(db, contactMessages, and(sql`${contactMessages.status} = 'done'`, isOld(keptDoneMs)));
  await deleteInBatches(
    db,
    contactMessages,
    and(
      sql`${contactMessages.suspicion} = 'honeypot'`,
      isNull(contactMessages.answeredAt),
      isOld(keptHoneypotMs),
    ),
  );
}
