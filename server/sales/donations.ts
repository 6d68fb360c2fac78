import { randomUUID } from "node:crypto";
import { desc, eq, max, min, sql } from "drizzle-orm";
import type { Donation, NewDonation } from "../../domain/sales/donation.ts";
import type { Sent } from "../../domain/sales/giving.ts";
import type { Db } from "../platform/database/database.ts";
import { donations } from "./tables.ts";

export type Recorded = { ok: true; isNew: boolean; donation: Donation } | { ok: false };

/** Records a donation. Repeating an id with the same facts does nothing; with other facts it is refused. */
export async function recordDonation(
  db: Db,
  { id = randomUUID(), amountCents, sentOn, note }: NewDonation,
  now: Date,
): Promise<Recorded> {
  const [written] = await db
    .insert(donations)
    .values({ id, amountCents, sentOn, note, createdAt: now })
    .onConflictDoNothing()
    .returning();
  if (written) return { ok: true, isNew: true, donation: toDonation(written) };
  const [earlier] = await db.select().from(donations).where(eq(donations.id, id));
  const isSame = earlier?.amountCents === amountCents && earlier.sentOn === sentOn && earlier.note === note;
  return isSame ? { ok: true, isNew: false, donation: toDonation(earlier) } : { ok: false };
}

/** Deletes a record; null: there is no such donation. */
export async function deleteDonation(db: Db, id: string): Promise<Donation | null> {
  const [deleted] = await db.delete(donations).where(eq(donations.id, id)).returning();
  return deleted ? toDonation(deleted) : null;
}

/** Newest day first. `cursor`: the id of the last donation of the previous page. */
export async function listDonations(
  db: Db,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ data: Donation[]; nextCursor: string | null }> {
  const position = sql`(${donations.sentOn}, ${donations.createdAt}, ${donations.id})`;
  const last = sql`(select d.sent_on, d.created_at, d.id from ${donations} d where d.id = ${cursor})`;
  const rows = await db
    .select()
    .from(donations)
    .where(cursor === undefined ? undefined : sql`${position} < ${last}`)
    .orderBy(desc(donations.sentOn), desc(donations.createdAt), desc(donations.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  return {
    data: page.map(toDonation),
    nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

/** The sum of all donations. */
export async function readSent(db: Db): Promise<Sent> {
  const [row] = await db
    .select({
      cents: sql<string>`coalesce(sum(${donations.amountCents}), 0)`,
      firstSentOn: min(donations.sentOn),
      lastSentOn: max(donations.sentOn),
    })
    .from(donations);
  return {
    sentCents: Number(row?.cents ?? 0),
    firstSentOn: row?.firstSentOn ?? null,
    lastSentOn: row?.lastSentOn ?? null,
  };
}

function toDonation({ createdAt, ...rest }: typeof donations.$inferSelect): Donation {
  return { ...rest, createdAt: createdAt.toISOString() };
}
