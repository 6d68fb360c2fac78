import type { ShopContext } from "../context.ts";
import { isTokenValid, signToken } from "../platform/http/signed-token.ts";
import { cookieName, readCookie, sessionCookie } from "../visitors/cookies.ts";

const name = "palmira_admin_browser";
const cookieLifeS = 365 * 24 * 60 * 60;
const token = { purpose: "admin-browser", subject: "panel" };

const isSecure = ({ config }: ShopContext) => config.publicUrl.startsWith("https:");

/**
 * Browsers that once unlocked the panel keep a signed cookie. It grants no access: it only exempts them from the limit on
 * attempts of all addresses together, which an attacker could otherwise use up to lock the owner out.
 */
export function isKnownBrowser(ctx: ShopContext, cookieHeader: string | null): boolean {
  const value = readCookie(cookieHeader, cookieName(name, isSecure(ctx)));
  return value !== null && isTokenValid(ctx.secret, value, { ...token, now: ctx.now() });
}

/** The `Set-Cookie` that marks a browser as known. */
export function knownBrowserCookie(ctx: ShopContext): string {
  const expiresAt = new Date(ctx.now().getTime() + cookieLifeS * 1000);
  const value = signToken(ctx.secret, { ...token, expiresAt });
  return sessionCookie(name, value, { isSecure: isSecure(ctx), maxAgeS: cookieLifeS, sameSite: "strict" });
}
