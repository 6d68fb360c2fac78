import { randomBytes } from "node:crypto";
import { and, eq, gt, lt } from "drizzle-orm";
import type { Database, Db } from "../platform/database.ts";
import type { Viewer, VisitorId } from "../platform/viewer.ts";
import {
  cookieName,
  createVisitor,
  findVisitor,
  hashToken,
  readCookie,
  sessionCookie,
} from "../visitors/cookies.ts";
import { adminSessions } from "./tables.ts";

const adminSessionS = 12 * 60 * 60;
export const adminCookie = "palmira_admin";

export type SessionGate = {
  /** Who asks, by cookies alone. */
  viewer(cookieHeader: string | null): Promise<Viewer>;
  createVisitor(): Promise<{ visitorId: VisitorId; cookie: string }>;
  /** A new admin session; the `Set-Cookie` to answer with. */
  openAdmin(now: Date): Promise<string>;
  /** Ends the session that the cookies carry; the `Set-Cookie` that forgets it. */
  closeAdmin(cookieHeader: string | null): Promise<string>;
};

/** The one place that turns cookies into rights. */
export function createSessionGate(db: Database, isSecure: boolean, now: () => Date): SessionGate {
  const adminToken = (cookieHeader: string | null) =>
    readCookie(cookieHeader, cookieName(adminCookie, isSecure));
  const cookie = (value: string, maxAgeS: number) =>
    sessionCookie(adminCookie, value, { isSecure, maxAgeS, sameSite: "strict" });
  return {
    async viewer(cookieHeader) {
      if (cookieHeader === null) return { visitorId: null, isAdmin: false, adminSessionId: null };
      const token = adminToken(cookieHeader);
      const [visitorId, adminSessionId] = await Promise.all([
        findVisitor(db, cookieHeader, isSecure),
        token === null ? null : openSessionId(db, token, now()),
      ]);
      return { visitorId, isAdmin: adminSessionId !== null, adminSessionId };
    },
    createVisitor: () => createVisitor(db, isSecure),
    async openAdmin(at) {
      const token = randomBytes(32).toString("base64url");
      const expiresAt = new Date(at.getTime() + adminSessionS * 1000);
      await db.insert(adminSessions).values({ tokenHash: hashToken(token), createdAt: at, expiresAt });
      return cookie(token, adminSessionS);
    },
    async closeAdmin(cookieHeader) {
      const token = adminToken(cookieHeader);
      if (token !== null) await db.delete(adminSessions).where(eq(adminSessions.tokenHash, hashToken(token)));
      return cookie("", 0);
    },
  };
}

/** Deletes sessions that are over. */
export async function forgetSessions(db: Db, now: Date): Promise<void> {
  await db.delete(adminSessions).where(lt(adminSessions.expiresAt, now));
}

async function openSessionId(db: Database, token: string, now: Date): Promise<string | null> {
  const [session] = await db
    .select({ id: adminSessions.id })
    .from(adminSessions)
    .where(and(eq(adminSessions.tokenHash, hashToken(token)), gt(adminSessions.expiresAt, now)));
  return session?.id ?? null;
}
