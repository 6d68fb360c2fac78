const readingMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Whether a request may change state: refused when the browser says that another site made it (`Sec-Fetch-Site`,
 * `Origin`). Programs that are no browsers send neither and have no cookies to abuse.
 */
export function isSameOrigin(request: Request, publicUrl: string): boolean {
  if (readingMethods.has(request.method)) return true;
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return false;
  const origin = request.headers.get("origin");
  if (origin === null) return true;
  // A form on a page that sends no referrer has no origin either, but the browser vouches for it.
  if (origin === "null" && site === "same-origin") return true;
  // The address the browser used counts too: the shop may be reached as 127.0.0.1 and as localhost.
  const host = hostOf(origin);
  return origin === new URL(publicUrl).origin || (host !== null && host === request.headers.get("host"));
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
