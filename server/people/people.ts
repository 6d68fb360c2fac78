import { and, asc, count, eq, isNull, max, sql } from "drizzle-orm";
import type { Person } from "../../domain/people/person.ts";
import type { Role } from "../../domain/people/roles.ts";
import { endSessions } from "../admin/sessions.ts";
import { adminSessions } from "../admin/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { endDevices } from "../push/devices.ts";
import { invitations, passkeys, people } from "./tables.ts";

type PersonRow = typeof people.$inferSelect;

/** Everybody, those with a way in first, by name. A handful: they are not paged. */
export async function listPeople(db: Db, now: Date): Promise<Person[]> {
  return readPeople(db, now);
}

export async function findPerson(db: Db, id: string, now: Date): Promise<Person | null> {
  const [person] = await readPeople(db, now, id);
  return person ?? null;
}

async function readPeople(db: Db, now: Date, id?: string): Promise<Person[]> {
  const opened = db
    .select({
      personId: adminSessions.personId,
      sessions: count().as("sessions"),
      seenAt: max(adminSessions.lastSeenAt).as("seen_at"),
    })
    .from(adminSessions)
    .where(sql`${adminSessions.expiresAt} > ${now.toISOString()}::timestamptz`)
    .groupBy(adminSessions.personId)
    .as("opened");
  const kept = db
    .select({
      personId: passkeys.personId,
      passkeys: count().as("passkeys"),
      usedAt: max(passkeys.lastUsedAt).as("used_at"),
    })
    .from(passkeys)
    .groupBy(passkeys.personId)
    .as("kept");
  const rows = await db
    .select({
      person: people,
      linkExpiresAt: invitations.expiresAt,
      sessions: opened.sessions,
      seenAt: opened.seenAt,
      passkeys: kept.passkeys,
      usedAt: kept.usedAt,
    })
    .from(people)
    .leftJoin(invitations, eq(invitations.personId, people.id))
    .leftJoin(opened, eq(opened.personId, people.id))
    .leftJoin(kept, eq(kept.personId, people.id))
    .where(id === undefined ? undefined : eq(people.id, id))
    .orderBy(sql`${people.deactivatedAt} is not null`, asc(sql`lower(${people.name})`), asc(people.id));
  return rows.map(({ person, linkExpiresAt, seenAt, usedAt, ...counts }) => ({
    id: person.id,
    name: person.name,
    email: person.email,
    role: person.role,
    state: stateOf(person),
    linkExpiresAt: linkExpiresAt && linkExpiresAt > now ? linkExpiresAt.toISOString() : null,
    passkeys: counts.passkeys ?? 0,
    sessions: counts.sessions ?? 0,
    lastSeenAt: (seenAt ?? usedAt)?.toISOString() ?? null,
    createdAt: person.createdAt.toISOString(),
  }));
}

function stateOf({ joinedAt, deactivatedAt }: PersonRow): Person["state"] {
  if (deactivatedAt !== null) return "deactivated";
  return joinedAt === null ? "invited" : "active";
}

/** A new person; null: somebody with this address is there already. */
export async function addPerson(
  tx: Db,
  person: { name: string; email: string; role: Role; now: Date; hasJoined: boolean },
): Promise<string | null> {
  const { now, hasJoined, ...told } = person;
  const [added] = await tx
    .insert(people)
    .values({ ...told, createdAt: now, joinedAt: hasJoined ? now : null })
    .onConflictDoNothing()
    .returning({ id: people.id });
  return added?.id ?? null;
}

export type PersonChange = {
  name?: string | undefined;
  role?: Role | undefined;
  active?: boolean | undefined;
};

/** Changes a person; whoever is deactivated is signed out of every browser in the same moment. Null: nobody. */
export async function changePerson(
  tx: Db,
  id: string,
  { name, role, active }: PersonChange,
  now: Date,
): Promise<{ before: PersonRow; endedSessions: number } | null> {
  const [before] = await tx.select().from(people).where(eq(people.id, id)).for("update");
  if (!before) return null;
  const deactivatedAt =
    active === undefined ? before.deactivatedAt : active ? null : (before.deactivatedAt ?? now);
  await tx
    .update(people)
    .set({ name: name ?? before.name, role: role ?? before.role, deactivatedAt })
    .where(eq(people.id, id));
  if (active !== false) return { before, endedSessions: 0 };
  await tx.delete(invitations).where(eq(invitations.personId, id));
  await endDevices(tx, { person: id });
  return { before, endedSessions: await endSessions(tx, null, { personId: id }) };
}

/** Deletes somebody who never used the link. Whoever did stays, for the name of what was done. */
export async function removeInvited(tx: Db, id: string): Promise<{ name: string } | null> {
  const [removed] = await tx
    .delete(people)
    .where(and(eq(people.id, id), isNull(people.joinedAt)))
    .returning({ name: people.name });
  return removed ?? null;
}
