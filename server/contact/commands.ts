import { randomUUID } from "node:crypto";
import { and, eq, gt, lt, sql } from "drizzle-orm";
import { type ContactRequest, suspicionOf } from "../../domain/contact.ts";
import { answeredMessageYears } from "../../domain/retention.ts";
import type { Database, Db } from "../platform/database.ts";
import { contactMessages } from "./tables.ts";

/** Tells the owner of a message and, where `isAnswered`, its sender that it has arrived. */
export type AnnounceContact = (
  tx: Db,
  contact: { messageId: string; email: string; isAnswered: boolean },
) => Promise<void>;

/** Anybody can write somebody else's address into the form: more answers than these an hour would be a nuisance. */
const answersPerHour = 3;
const hourMs = 60 * 60 * 1000;
const keptDoneMs = answeredMessageYears * 365 * 24 * hourMs;

/** Keeps a message, whatever it looks like, and has it announced in the same transaction. */
export async function sendContactMessage(
  parts: { db: Database; now(): Date; announce: AnnounceContact },
  request: ContactRequest,
): Promise<{ id: string; number: number }> {
  const { name, email, subject, message } = request;
  const suspicion = suspicionOf(request);
  const createdAt = parts.now();
  return parts.db.transaction(async (tx) => {
    const earlier = await countOfLastHour(tx, email, createdAt);
    const id = randomUUID();
    const [kept] = await tx
      .insert(contactMessages)
      .values({ id, name, email, subject, message, suspicion, createdAt })
      .returning({ number: contactMessages.number });
    if (!kept) throw new Error("a message was written without its number");
    const isAnswered = suspicion === null && earlier < answersPerHour;
    await parts.announce(tx, { messageId: id, email, isAnswered });
    return { id, number: kept.number };
  });
}

/** Marks a message; false: there is no such message. */
export async function updateContactMessage(
  db: Db,
  id: string,
  change: { status?: "open" | "done" | undefined; read?: boolean | undefined },
  now: Date,
): Promise<boolean> {
  const changed = await db
    .update(contactMessages)
    .set({
      ...(change.status === undefined ? {} : { status: change.status }),
      // The first reading counts.
      ...(change.read === undefined
        ? {}
        : { readAt: change.read ? sql`coalesce(${contactMessages.readAt}, ${now})` : null }),
    })
    .where(eq(contactMessages.id, id))
    .returning({ id: contactMessages.id });
  return changed.length > 0;
}

/**
 * Deletes a message with its answers. `forgetMail` takes out of the outbox what was sent about it; where that has to wait
 * (`busy`: an e-mail is being sent just now), nothing is deleted.
 */
export async function deleteContactMessage(
  db: Database,
  id: string,
  forgetMail: ForgetMail,
): Promise<{ ok: true; number: number } | { ok: false; reason: "not_found" | "busy" }> {
  return db.transaction(async (tx) => {
    const [message] = await tx
      .select({ number: contactMessages.number })
      .from(contactMessages)
      .where(eq(contactMessages.id, id))
      .for("update");
    if (!message) return { ok: false, reason: "not_found" };
    if (!(await forgetMail(tx, id))) return { ok: false, reason: "busy" };
    await tx.delete(contactMessages).where(eq(contactMessages.id, id));
    return { ok: true, number: message.number };
  });
}

/** False: an e-mail about the message is being sent just now. */
export type ForgetMail = (tx: Db, messageId: string) => Promise<boolean>;

/** Deletes messages that were done with and are older than two years. */
export async function forgetContactMessages(db: Db, now: Date): Promise<void> {
  await db
    .delete(contactMessages)
    .where(
      and(
        eq(contactMessages.status, "done"),
        lt(contactMessages.createdAt, new Date(now.getTime() - keptDoneMs)),
      ),
    );
}

/** Messages of one address, one writer at a time: of two that come at once the second sees the first. */
async function countOfLastHour(tx: Db, email: string, now: Date): Promise<number> {
  const address = email.toLowerCase();
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`contact:${address}`}, 0))`);
  return tx.$count(
    contactMessages,
    and(
      eq(sql`lower(${contactMessages.email})`, address),
      gt(contactMessages.createdAt, new Date(now.getTime() - hourMs)),
    ),
  );
}
