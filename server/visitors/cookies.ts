import { createHash, randomBytes } from "node:crypto";
import { parseCookie, serializeCookie } from "cookie-es";
import { eq, or } from "drizzle-orm";
import { visitorCookieDays } from "../../domain/privacy/retention.ts";
import type { Db } from "../platform/database/database.ts";
import { isTokenValid, signToken } from "../platform/http/signed-token.ts";
import type { VisitorId } from "../platform/http/viewer.ts";
import { visitors } from "./tables.ts";

const visitorCookieMaxAgeS = visitorCookieDays * 24 * 60 * 60;

/** `__Host-` binds a cookie to this host; browsers accept it only over https. */
export function cookieName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}

const purpose = "visitor";

/**
 * The visitor of the cookie in the header, or null. A signed cookie is valid; an unsigned one of an older version, or one signed
 * with another secret, is valid if the database has its visitor.
 */
export async function findVisitor(
  db: Db,
  cookieHeader: string | null,
  options: { isSecure: boolean; secret: string; now: Date },
): Promise<VisitorId | null> {
  const value = readCookie(cookieHeader, cookieName("palmira_visitor", options.isSecure));
  if (value === null) return null;
  const [token = "", ...signature] = value.split(".");
  const visitorId = deriveVisitorId(token);
  const proof = { purpose, subject: token, now: options.now };
  if (isTokenValid(options.secret, signature.join("."), proof)) return visitorId;
  const [row] = await db
    .select({ id: visitors.id })
    .from(visitors)
    .where(or(eq(visitors.id, visitorId), eq(visitors.tokenHash, hashToken(token))));
  return row ? (row.id as VisitorId) : null;
}

/**
 * A new visitor with its `Set-Cookie` header: `<random token>.<signature>`. The row is inserted only when there is something
 * to store (commands.ts).
 */
export function newVisitor(options: { isSecure: boolean; secret: string; now: Date }): {
  visitorId: VisitorId;
  cookie: string;
} {
  const token = randomBytes(32).toString("base64url");
  const expiresAt = new Date(options.now.getTime() + visitorCookieMaxAgeS * 1_000);
  const signature = signToken(options.secret, { purpose, subject: token, expiresAt });
  const cookie = sessionCookie("palmira_visitor", `${token}.${signature}`, {
    isSecure: options.isSecure,
    maxAgeS: visitorCookieMaxAgeS,
    sameSite: "lax",
  });
  return { visitorId: deriveVisitorId(token), cookie };
}

/** The visitor's id: the first 128 bits of the token's hash, as hard to invert as the hash. */
function deriveVisitorId(token: string): VisitorId {
  const hex = hashToken(token).toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5") as VisitorId;
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
