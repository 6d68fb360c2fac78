import { and, asc, count, eq, isNotNull, isNull, lt, max, sql } from "drizzle-orm";
import type { Person } from "../../domain/people/person.ts";
import type { Role } from "../../domain/people/roles.ts";
import { activityYears } from "../../domain/privacy/retention.ts";
import { endSessions } from "../admin/sessions.ts";
import { adminSessions } from "../admin/tables.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import { deleteDevices } from "../push/devices.ts";
import { invitations, passkeys, people } from "./tables.ts";

type PersonRow = typeof people.$inferSelect;

/** All people by name, with deactivated people last, but not the accounts of API keys. There are few, so the list has no pages. */
export async function listPeople(db: Db, now: Date): Promise<Person[]> {
  return readPeople(db, now);
}

export async function findPerson(db: Db, id: string, now: Date): Promise<Person | null> {
  const [person] = await readPeople(db, now, id);
  return person ?? null;
}

async function readPeople(db: Db, now: Date, id?: string): Promise<Person[]> {
  const ownSessions = db
    .select({
      personId: adminSessions.personId,
      sessions: count().as("sessions"),
      seenAt: max(adminSessions.lastSeenAt).as("seen_at"),
    })
    .from(adminSessions)
    .where(sql`${adminSessions.expiresAt} > ${now.toISOString()}::timestamptz`)
    .groupBy(adminSessions.personId)
    .as("own_sessions");
  const ownPasskeys = db
    .select({
      personId: passkeys.personId,
      passkeys: count().as("passkeys"),
      usedAt: max(passkeys.lastUsedAt).as("used_at"),
    })
    .from(passkeys)
    .groupBy(passkeys.personId)
    .as("own_passkeys");
  const rows = await db
    .select({
      person: people,
      linkExpiresAt: invitations.expiresAt,
      sessions: ownSessions.sessions,
      seenAt: ownSessions.seenAt,
      passkeys: ownPasskeys.passkeys,
      usedAt: ownPasskeys.usedAt,
    })
    .from(people)
    .leftJoin(invitations, eq(invitations.personId, people.id))
    .leftJoin(ownSessions, eq(ownSessions.personId, people.id))
    .leftJoin(ownPasskeys, eq(ownPasskeys.personId, people.id))
    .where(and(isNotNull(people.email), id === undefined ? undefined : eq(people.id, id)))
    .orderBy(sql`${people.deactivatedAt} is not null`, asc(sql`lower(${people.name})`), asc(people.id));
  return rows.map(({ person, linkExpiresAt, seenAt, usedAt, ...counts }) => ({
    id: person.id,
    name: person.name,
    email: person.email ?? "",
    role: person.role,
    state: personState(person),
    linkExpiresAt: linkExpiresAt && linkExpiresAt > now ? linkExpiresAt.toISOString() : null,
    passkeys: counts.passkeys ?? 0,
    sessions: counts.sessions ?? 0,
    lastSeenAt: (seenAt ?? usedAt)?.toISOString() ?? null,
    createdAt: person.createdAt.toISOString(),
  }));
}

function personState({ joinedAt, deactivatedAt }: PersonRow): Person["state"] {
  if (deactivatedAt !== null) return "deactivated";
  return joinedAt === null ? "invited" : "active";
}

/** Null if the e-mail address already has an account. */
export async function addPerson(
  tx: Db,
  person: { name: string; email: string; role: Role; now: Date; hasJoined: boolean },
): Promise<string | null> {
  const { now, hasJoined, ...values } = person;
  const [row] = await tx
    .insert(people)
    .values({ ...values, createdAt: now, joinedAt: hasJoined ? now : null })
    .onConflictDoNothing()
    .returning({ id: people.id });
  return row?.id ?? null;
}

type PersonChange = {
  name?: string | undefined;
  role?: Role | undefined;
  active?: boolean | undefined;
};

/** Changes a person. Deactivating also ends all sessions, devices and links. Null if there is no such person. */
export async function changePerson(
  tx: Db,
  id: string,
  { name, role, active }: PersonChange,
  now: Date,
): Promise<{ before: PersonRow; endedSessions: number } | null> {
  const [before] = await tx
    .select()
    .from(people)
    .where(and(eq(people.id, id), isNotNull(people.email)))
    .for("update");
  if (!before) return null;
  const deactivatedAt =
    active === undefined ? before.deactivatedAt : active ? null : (before.deactivatedAt ?? now);
  await tx
    .update(people)
    .set({ name: name ?? before.name, role: role ?? before.role, deactivatedAt })
    .where(eq(people.id, id));
  if (active !== false) return { before, endedSessions: 0 };
  await tx.delete(invitations).where(eq(invitations.personId, id));
  await deleteDevices(tx, { person: id });
  return { before, endedSessions: await endSessions(tx, null, { personId: id }) };
}

/** Deletes a person who has never joined. Others are kept, because the activity log names them. */
export async function removeInvited(tx: Db, id: string): Promise<{ name: string } | null> {
  const [row] = await tx
    .delete(people)
    .where(and(eq(people.id, id), isNull(people.joinedAt)))
    .returning({ name: people.name });
  return row ?? null;
}

/** Deletes former people once the activity log has no more entries of theirs. */
export async function purgeFormerPeople({ db, now }: ShopContext): Promise<void> {
  const until = now();
  until.setUTCFullYear(until.getUTCFullYear() - activityYears);
  await deleteInBatches(db, people, and(isNotNull(people.deactivatedAt), lt(people.deactivatedAt, until)));
}
