import { and, asc, desc, eq, lte, sql } from "drizzle-orm";
import { contactReference } from "../../domain/contact.ts";
import type { Db } from "../platform/database.ts";
import { contactMessages } from "./tables.ts";

/** The address as its latest message spells it; null where it never wrote. `email` in lower case. */
export async function senderAddress(db: Db, email: string): Promise<string | null> {
  const [latest] = await db
    .select({ email: contactMessages.email })
    .from(contactMessages)
    .where(isFrom(email))
    .orderBy(desc(contactMessages.createdAt))
    .limit(1);
  return latest?.email ?? null;
}

export async function exportContactMessages(db: Db, email: string, limit: number) {
  const rows = await db
    .select()
    .from(contactMessages)
    .where(isFrom(email))
    .orderBy(asc(contactMessages.number))
    .limit(limit);
  return rows.map(({ id: _, number, ...message }) => ({ reference: contactReference(number), ...message }));
}

/** Deletes what an address wrote until a time, and answers the messages' ids. */
export async function eraseContactMessages(
  tx: Db,
  { email, until }: { email: string; until: Date },
): Promise<string[]> {
  const erased = await tx
    .delete(contactMessages)
    .where(and(isFrom(email), lte(contactMessages.createdAt, until)))
    .returning({ id: contactMessages.id });
  return erased.map(({ id }) => id);
}

function isFrom(email: string) {
  return eq(sql`lower(${contactMessages.email})`, email);
}
