import { isTokenValid, signToken } from "../platform/signed-token.ts";
import { cookieName, readCookie, sessionCookie } from "../visitors/cookies.ts";

const name = "palmira_admin_browser";
const lifeS = 365 * 24 * 60 * 60;
const token = { purpose: "admin-browser", subject: "panel" };

/**
 * Browsers that had the panel unlocked once keep a signed cookie. It opens nothing: it only spares them the limit on what
 * everybody together tries, with which somebody could otherwise lock the owner out.
 */
export function knownBrowsers({ secret, isSecure }: { secret: string; isSecure: boolean }) {
  return {
    isKnown(cookieHeader: string | null, now: Date): boolean {
      const value = readCookie(cookieHeader, cookieName(name, isSecure));
      return value !== null && isTokenValid(secret, value, { ...token, now });
    },
    /** The `Set-Cookie` that makes it known. */
    cookie(now: Date): string {
      const expiresAt = new Date(now.getTime() + lifeS * 1000);
      const value = signToken(secret, { ...token, expiresAt });
      return sessionCookie(name, value, { isSecure, maxAgeS: lifeS, sameSite: "strict" });
    },
  };
}
