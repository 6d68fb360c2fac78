const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether to accept a request by its origin: safe methods from any site, others only from the shop's own pages. */
export function isOriginAllowed(request: Request, publicUrl: string): boolean {
  return safeMethods.has(request.method) || !isFromOtherSite(request, publicUrl);
}

/**
 * Whether the browser reports that another site made a request (`Sec-Fetch-Site`, `Origin`), whatever its method. Other
 * programs send neither header, and have no cookies that could be abused.
 */
export function isFromOtherSite(request: Request, publicUrl: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return true;
  const origin = request.headers.get("origin");
  if (origin === null) return false;
  // A form on a page without a referrer sends the origin "null", but `Sec-Fetch-Site` is reliable.
  if (origin === "null" && site === "same-origin") return false;
  return origin !== new URL(publicUrl).origin && !isThisMachine(origin, request.headers.get("host"));
}

/**
 * The machine itself reaches the shop as 127.0.0.1 and localhost, whatever its public URL. Any other host that
 * equals the origin proves nothing: an attacker's name may resolve to this machine.
 */
function isThisMachine(origin: string, host: string | null): boolean {
  if (!URL.canParse(origin)) return false;
  const { host: originHost, hostname } = new URL(origin);
  return originHost === host && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
