import { and, asc, desc, eq, lte, sql } from "drizzle-orm";
import type { Person, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { cartReminders } from "./tables.ts";

/** The address as its latest reminder spells it; null if there is none. `email` in lower case. */
export async function remindedAddress(db: Db, email: string): Promise<string | null> {
  const [latest] = await db
    .select({ email: cartReminders.email })
    .from(cartReminders)
    .where(isFor(email))
    .orderBy(desc(cartReminders.createdAt))
    .limit(1);
  return latest?.email ?? null;
}

export async function exportReminders(db: Db, { email }: Person, limit: number) {
  return db
    .select({
      email: cartReminders.email,
      items: cartReminders.items,
      createdAt: cartReminders.createdAt,
      dueAt: cartReminders.dueAt,
      sentAt: cartReminders.sentAt,
    })
    .from(cartReminders)
    .where(isFor(email))
    .orderBy(asc(cartReminders.createdAt), asc(cartReminders.id))
    .limit(limit);
}

/** Deletes reminders requested until a time; their jobs then do nothing. */
export async function eraseReminders(tx: Db, { email, until }: PersonToErase): Promise<void> {
  await tx.delete(cartReminders).where(and(isFor(email), lte(cartReminders.createdAt, until)));
}

function isFor(email: string) {
  return eq(sql`lower(${cartReminders.email})`, email);
}
