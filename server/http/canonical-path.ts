/** Files named by content, calls, and a provider's own ids: what is written there may tell large from small letters. */
const takenAsWritten = ["/api/", "/assets/", "/images/", "/share/", "/sandbox/", "/.well-known/", "/__"];

/**
 * The path and query that an address should have had, or null where it is right: small letters, no slash at the end.
 * The answer leads nowhere but to this shop: it begins with one slash, and an address that plays with slashes is left
 * for the 404 page.
 */
export function canonicalPath(url: URL): string | null {
  const { pathname, search } = url;
  if (takenAsWritten.some((prefix) => pathname.startsWith(prefix)) || pathname.endsWith(".data")) return null;
  const trimmed = pathname.replace(/(?<!\/)\/+$/, "");
  if (trimmed === "") return pathname === "/" ? null : `/${search}`;
  if (/\/\/|\\|%2f|%5c/i.test(trimmed)) return null;
  // Escapes such as %C3 are written in capitals and mean the same either way.
  const path = trimmed.replace(/%[0-9a-f]{2}|[A-Z]+/gi, (part) =>
    part.startsWith("%") ? part : part.toLowerCase(),
  );
  return path === pathname ? null : path + search;
}
