import { randomBytes } from "node:crypto";
import { and, desc, eq, gt, lt, ne } from "drizzle-orm";
import type { AdminSession } from "../../domain/admin/admin.ts";
import type { ShopContext } from "../context.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import type { Viewer, VisitorId } from "../platform/http/viewer.ts";
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
export const adminCookie = "palmira_admin";
/** When a session was last used is known to the minute: not every call writes. */
const seenEveryMs = 60_000;

export type SessionGate = {
  /** Who asks, by cookies alone. */
  viewer(cookieHeader: string | null): Promise<Viewer>;
  /** Somebody the shop has not met; nothing is written. */
  newVisitor(): { visitorId: VisitorId; cookie: string };
  /** A new admin session; the `Set-Cookie` to answer with. `browser`: in words. */
  openAdmin(now: Date, browser: string | null): Promise<{ sessionId: string; cookie: string }>;
  /** Ends the session that the cookies carry, if it still runs; the `Set-Cookie` that forgets it. */
  closeAdmin(cookieHeader: string | null): Promise<{ sessionId: string | null; cookie: string }>;
};

/** The one place that turns cookies into rights. */
export function createSessionGate({
  db,
  isSecure,
  secret,
  now,
}: {
  db: Database;
  /** Whether the shop is on https. */
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
    async viewer(cookieHeader) {
      if (cookieHeader === null) return { visitorId: null, admin: null };
      const token = adminToken(cookieHeader);
      const [visitorId, sessionId] = await Promise.all([
        findVisitor(db, cookieHeader, { isSecure, secret, now: now() }),
        token === null ? null : openSessionId(db, token, now()),
      ]);
      return { visitorId, admin: sessionId === null ? null : { sessionId, role: "owner", person: null } };
    },
    newVisitor: () => newVisitor({ isSecure, secret, now: now() }),
    async openAdmin(at, browser) {
      const token = randomBytes(32).toString("base64url");
      const expiresAt = new Date(at.getTime() + adminSessionS * 1000);
      const [opened] = await db
        .insert(adminSessions)
        .values({
          tokenHash: hashToken(token),
          userAgent: browser,
          createdAt: at,
          lastSeenAt: at,
          expiresAt,
        })
        .returning({ id: adminSessions.id });
      if (!opened) throw new Error("a session was not written");
      return { sessionId: opened.id, cookie: cookie(token, adminSessionS) };
    },
    async closeAdmin(cookieHeader) {
      const token = adminToken(cookieHeader);
      const [closed] =
        token === null
          ? []
          : await db
              .delete(adminSessions)
              .where(eq(adminSessions.tokenHash, hashToken(token)))
              .returning({ id: adminSessions.id });
      return { sessionId: closed?.id ?? null, cookie: cookie("", 0) };
    },
  };
}

/** Deletes sessions that are over. */
export async function purgeSessions({ db, now }: ShopContext): Promise<void> {
  await deleteInBatches(db, adminSessions, lt(adminSessions.expiresAt, now()));
}

/** The sessions that are open, last used first. `currentId`: the one that asks. */
export async function listSessions(
  db: Db,
  { currentId, now }: { currentId: string | null; now: Date },
): Promise<AdminSession[]> {
  const rows = await db
    .select()
    .from(adminSessions)
    .where(gt(adminSessions.expiresAt, now))
    .orderBy(desc(adminSessions.lastSeenAt), desc(adminSessions.createdAt));
  return rows.map((session) => ({
    id: session.id,
    browser: session.userAgent,
    startedAt: session.createdAt.toISOString(),
    lastSeenAt: session.lastSeenAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
    isCurrent: session.id === currentId,
  }));
}

/** Ends one session; false: it is not there, or over already. */
export async function endSession(db: Db, sessionId: string): Promise<boolean> {
  const ended = await db
    .delete(adminSessions)
    .where(eq(adminSessions.id, sessionId))
    .returning({ id: adminSessions.id });
  return ended.length > 0;
}

/** Ends every session, or every other than `exceptId`; how many. */
export async function endSessions(db: Db, exceptId: string | null): Promise<number> {
  const { rowCount } = await db
    .delete(adminSessions)
    .where(exceptId === null ? undefined : ne(adminSessions.id, exceptId));
  return rowCount ?? 0;
}

async function openSessionId(db: Database, token: string, now: Date): Promise<string | null> {
  const [session] = await db
    .select({ id: adminSessions.id, lastSeenAt: adminSessions.lastSeenAt })
    .from(adminSessions)
    .where(and(eq(adminSessions.tokenHash, hashToken(token)), gt(adminSessions.expiresAt, now)));
  if (!session) return null;
  if (now.getTime() - session.lastSeenAt.getTime() >= seenEveryMs) {
    await db.update(adminSessions).set({ lastSeenAt: now }).where(eq(adminSessions.id, session.id));
  }
  return session.id;
}
