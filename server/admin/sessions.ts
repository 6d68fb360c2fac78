import { randomBytes } from "node:crypto";
import { and, desc, eq, gt, isNull, lt, lte, ne, sql } from "drizzle-orm";
import type { AdminSession } from "../../domain/admin/admin.ts";
import { people } from "../people/tables.ts";
import type { BaseContext } from "../platform/base-context.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import type { Admin, Viewer, VisitorId } from "../platform/http/viewer.ts";
import {
  cookieName,
  findVisitor,
  hashToken,
  newVisitor,
  readCookie,
  sessionCookie,
} from "../visitors/cookies.ts";
import { adminSessions } from "./tables.ts";

const adminSessionS = 12 * 60 * 60;
const clockToleranceMs = 10 * 60_000;
export const adminCookie = "palmira_admin";
/** The time of last use is written at most this often, to save a write per call. */
const lastSeenIntervalMs = 60_000;

export type SessionGate = {
  /** Identifies the caller by cookies alone. `address`: the caller's network address, for the list of sessions. */
  viewer(cookieHeader: string | null, address?: string): Promise<Viewer>;
  /** A visitor id and cookie for a new visitor; the database is not written. */
  newVisitor(): { visitorId: VisitorId; cookie: string };
  /** Creates an admin session; returns the `Set-Cookie` to respond with. */
  openAdmin(session: NewSession): Promise<{ sessionId: string; cookie: string }>;
  /** Ends the session in the cookies, if it is still open; returns the `Set-Cookie` that deletes it. */
  closeAdmin(cookieHeader: string | null): Promise<{ sessionId: string | null; cookie: string }>;
};

type NewSession = {
  now: Date;
  /** Readable name: "Firefox on Windows". */
  browser: string | null;
  address: string;
  /** Null if the panel was unlocked with the access code. */
  personId: string | null;
};

/** The only place that derives rights from cookies. */
export function createSessionGate({
  db,
  isSecure,
  secret,
  now,
}: {
  db: Database;
  /** Whether the shop is served by https. */
  isSecure: boolean;
  /** Signs visitors' cookies. */
  secret: string;
  now(): Date;
}): SessionGate {
  const adminToken = (cookieHeader: string | null) =>
    readCookie(cookieHeader, cookieName(adminCookie, isSecure));
  const cookie = (value: string, maxAgeS: number) =>
    sessionCookie(adminCookie, value, { isSecure, maxAgeS, sameSite: "strict" });
  return {
    async viewer(cookieHeader, address) {
      if (cookieHeader === null) return { visitorId: null, admin: null };
      const token = adminToken(cookieHeader);
      const [visitorId, admin] = await Promise.all([
        findVisitor(db, cookieHeader, { isSecure, secret, now: now() }),
        token === null ? null : findAdmin(db, token, now(), address),
      ]);
      return { visitorId, admin };
    },
    newVisitor: () => newVisitor({ isSecure, secret, now: now() }),
    async openAdmin({ now: at, browser, address, personId }) {
      const token = randomBytes(32).toString("base64url");
      const expiresAt = new Date(at.getTime() + adminSessionS * 1000);
      const [session] = await db
        .insert(adminSessions)
        .values({
          tokenHash: hashToken(token),
          userAgent: browser,
          lastAddress: address,
          personId,
          createdAt: at,
          lastSeenAt: at,
          expiresAt,
        })
        .returning({ id: adminSessions.id });
      if (!session) throw new Error("the insert returned no session");
      return { sessionId: session.id, cookie: cookie(token, adminSessionS) };
    },
    async closeAdmin(cookieHeader) {
      const token = adminToken(cookieHeader);
      const [session] =
        token === null
          ? []
          : await db
              .delete(adminSessions)
              .where(eq(adminSessions.tokenHash, hashToken(token)))
              .returning({ id: adminSessions.id });
      return { sessionId: session?.id ?? null, cookie: cookie("", 0) };
    },
  };
}

export async function purgeSessions({ db, now }: Pick<BaseContext, "db" | "now">): Promise<void> {
  await deleteInBatches(db, adminSessions, lt(adminSessions.expiresAt, now()));
}

/** Open sessions of everybody or one person, last used first. `currentId`: the calling session. */
export async function listSessions(
  db: Db,
  { currentId, of: scope, now }: { currentId: string | null; of: SessionScope; now: Date },
): Promise<AdminSession[]> {
  const rows = await db
    .select({ session: adminSessions, person: { id: people.id, name: people.name } })
    .from(adminSessions)
    .leftJoin(people, eq(people.id, adminSessions.personId))
    .where(and(gt(adminSessions.expiresAt, now), belongsTo(scope)))
    .orderBy(desc(adminSessions.lastSeenAt), desc(adminSessions.createdAt));
  return rows.map(({ session, person }) => ({
    id: session.id,
    person,
    browser: session.userAgent,
    address: session.lastAddress,
    startedAt: session.createdAt.toISOString(),
    lastSeenAt: session.lastSeenAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
    isCurrent: session.id === currentId,
  }));
}

/** Ends one session; returns false if there is no such session within `scope`. */
export async function endSession(
  db: Db,
  sessionId: string,
  scope: SessionScope = "everybody",
): Promise<boolean> {
  const endedSessions = await db
    .delete(adminSessions)
    .where(and(eq(adminSessions.id, sessionId), belongsTo(scope)))
    .returning({ id: adminSessions.id });
  return endedSessions.length > 0;
}

/** Ends all sessions but `exceptId`; returns how many. */
export async function endSessions(
  db: Db,
  exceptId: string | null,
  scope: SessionScope = "everybody",
): Promise<number> {
  const { rowCount } = await db
    .delete(adminSessions)
    .where(and(exceptId === null ? undefined : ne(adminSessions.id, exceptId), belongsTo(scope)));
  return rowCount ?? 0;
}

/**
 * Records that the user confirmed their identity by passkey or access code, and resets the session's sum of money given
 * away.
 */
export async function confirmSession(db: Db, sessionId: string, now: Date): Promise<void> {
  await db
    .update(adminSessions)
    .set({ confirmedAt: now, givenCents: 0 })
    .where(eq(adminSessions.id, sessionId));
}

/** Links a session begun with the access code to a person. */
export async function linkSessionToPerson(db: Db, sessionId: string, personId: string): Promise<void> {
  await db
    .update(adminSessions)
    .set({ personId })
    .where(and(eq(adminSessions.id, sessionId), isNull(adminSessions.personId)));
}

/** All sessions, only sessions of the access code that are not linked to a person, or only sessions of one person. */
export type SessionScope = "everybody" | "code" | { personId: string };

function belongsTo(scope: SessionScope) {
  if (scope === "code") return isNull(adminSessions.personId);
  return scope === "everybody" ? undefined : eq(adminSessions.personId, scope.personId);
}

/** The admin that a session token belongs to. Never cached: a changed or revoked role applies to all servers at once. */
async function findAdmin(
  db: Database,
  token: string,
  now: Date,
  address: string | undefined,
): Promise<Admin | null> {
  const [row] = await db
    .select({ session: adminSessions, person: people })
    .from(adminSessions)
    .leftJoin(people, eq(people.id, adminSessions.personId))
    .where(
      and(
        eq(adminSessions.tokenHash, hashToken(token)),
        gt(adminSessions.expiresAt, now),
        // A session dated in the future was begun while the clock was ahead, and would last too long.
        lte(adminSessions.createdAt, new Date(now.getTime() + clockToleranceMs)),
        isNull(people.deactivatedAt),
      ),
    );
  if (!row) return null;
  const { session, person } = row;
  if (now.getTime() - session.lastSeenAt.getTime() >= lastSeenIntervalMs) {
    await db
      .update(adminSessions)
      .set({ lastSeenAt: now, lastAddress: address ?? sql`${adminSessions.lastAddress}` })
      .where(eq(adminSessions.id, session.id));
  }
  return {
    sessionId: session.id,
    role: person?.role ?? "owner",
    person: person && { id: person.id, name: person.name },
    confirmedAt: session.confirmedAt ?? session.createdAt,
    isKey: false,
  };
}
