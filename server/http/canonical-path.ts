/** Files named by content, API calls and provider ids: their paths may be case-sensitive. */
const takenAsWritten = ["/api/", "/assets/", "/images/", "/share/", "/sandbox/", "/.well-known/", "/__"];

/**
 * The canonical path and query, or null if it is canonical already: lower case, no trailing slash. The redirect stays
 * in this shop: it begins with exactly one slash, and addresses with odd slashes are left for the 404 page.
 */
export function canonicalPath(url: URL): string | null {
  const { pathname, search } = url;
  if (takenAsWritten.some((prefix) => pathname.startsWith(prefix)) || pathname.endsWith(".data")) return null;
  const trimmed = pathname.replace(/(?<!\/)\/+$/, "");
  if (trimmed === "") return pathname === "/" ? null : `/${search}`;
  if (/\/\/|\\|%2f|%5c/i.test(trimmed)) return null;
  // Escapes such as %C3 are upper case and mean the same either way.
  const path = trimmed.replace(/%[0-9a-f]{2}|[A-Z]+/gi, (part) =>
    part.startsWith("%") ? part : part.toLowerCase(),
  );
  return path === pathname ? null : path + search;
}
