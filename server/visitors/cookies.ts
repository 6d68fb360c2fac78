import { createHash, randomBytes, randomUUID } from "node:crypto";
import { parseCookie, serializeCookie } from "cookie-es";
import { eq } from "drizzle-orm";
import { visitorCookieDays } from "../../domain/retention.ts";
import type { Db } from "../platform/database.ts";
import type { VisitorId } from "../platform/viewer.ts";
import { visitors } from "./tables.ts";

const visitorCookieMaxAgeS = visitorCookieDays * 24 * 60 * 60;

/** `__Host-` pins a cookie to this very host, but browsers take it over https only. */
export function cookieName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}

/** The visitor whose token the cookie header carries, or null. */
export async function findVisitor(
  db: Db,
  cookieHeader: string | null,
  isSecure: boolean,
): Promise<VisitorId | null> {
  const token = readCookie(cookieHeader, cookieName("palmira_visitor", isSecure));
  if (token === null) return null;
  const [row] = await db
    .select({ id: visitors.id })
    .from(visitors)
    .where(eq(visitors.tokenHash, hashToken(token)));
  return row ? (row.id as VisitorId) : null;
}

/** A new visitor and the `Set-Cookie` that makes the browser it. The token is kept by the browser alone. */
export async function createVisitor(
  db: Db,
  isSecure: boolean,
): Promise<{ visitorId: VisitorId; cookie: string }> {
  const visitorId = randomUUID() as VisitorId;
  const token = randomBytes(32).toString("base64url");
  await db.insert(visitors).values({ id: visitorId, tokenHash: hashToken(token) });
  const cookie = sessionCookie("palmira_visitor", token, {
    isSecure,
    maxAgeS: visitorCookieMaxAgeS,
    sameSite: "lax",
  });
  return { visitorId, cookie };
}

export function sessionCookie(
  name: string,
  value: string,
  options: { isSecure: boolean; maxAgeS: number; sameSite: "lax" | "strict" },
): string {
  return serializeCookie(cookieName(name, options.isSecure), value, {
    httpOnly: true,
    path: "/",
    secure: options.isSecure,
    sameSite: options.sameSite,
    maxAge: options.maxAgeS,
  });
}

export function readCookie(cookieHeader: string | null, name: string): string | null {
  const value = cookieHeader === null ? undefined : parseCookie(cookieHeader)[name];
  return value && value.length <= 200 ? value : null;
}

export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
