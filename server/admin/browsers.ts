import type { ShopContext } from "../context.ts";
import { isTokenValid, signToken } from "../platform/http/signed-token.ts";
import { cookieName, readCookie, sessionCookie } from "../visitors/cookies.ts";

const name = "palmira_admin_browser";
const lifeS = 365 * 24 * 60 * 60;
const token = { purpose: "admin-browser", subject: "panel" };

const isSecure = ({ config }: ShopContext) => config.publicUrl.startsWith("https:");

/**
 * Browsers that had the panel unlocked once keep a signed cookie. It opens nothing: it only spares them the limit on what
 * all addresses together try, with which somebody could otherwise lock the owner out.
 */
export function isKnownBrowser(ctx: ShopContext, cookieHeader: string | null): boolean {
  const value = readCookie(cookieHeader, cookieName(name, isSecure(ctx)));
  return value !== null && isTokenValid(ctx.secret, value, { ...token, now: ctx.now() });
}

/** The `Set-Cookie` that makes a browser known. */
export function knownBrowserCookie(ctx: ShopContext): string {
  const expiresAt = new Date(ctx.now().getTime() + lifeS * 1000);
  const value = signToken(ctx.secret, { ...token, expiresAt });
  return sessionCookie(name, value, { isSecure: isSecure(ctx), maxAgeS: lifeS, sameSite: "strict" });
}

/** First match wins: most browsers name others as well. */
const browsers: [RegExp, string][] = [
  [/\bEdgA?\/|\bEdgiOS\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
];
const systems: [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "Mac"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b|\bX11\b/, "Linux"],
];

/**
 * A browser in words, from its `User-Agent`: "Firefox on Windows". Null where nothing is known. No version: these words
 * are all that is kept.
 */
export function browserName(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const find = (list: [RegExp, string][]) => list.find(([trace]) => trace.test(userAgent))?.[1];
  const browser = find(browsers);
  const system = find(systems);
  if (!browser && !system) return null;
  return `${browser ?? "A browser"}${system ? ` on ${/^iP/.test(system) ? `an ${system}` : system}` : ""}`;
}
