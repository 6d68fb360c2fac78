/**
 * The page's query string with one parameter changed (null removes it). Pagination restarts, unless the parameter is the
 * cursor itself.
 */
export function withParam(search: URLSearchParams, name: string, value: string | null): string {
  const next = new URLSearchParams(search);
  next.delete("cursor");
  if (value === null || value === "") next.delete(name);
  else next.set(name, value);
  return searchUrl(next);
}

/** The query string without any of these parameters. */
export function withoutParams(search: URLSearchParams, names: readonly string[]): string {
  const next = new URLSearchParams(search);
  for (const name of ["cursor", ...names]) next.delete(name);
  return searchUrl(next);
}

function searchUrl(search: URLSearchParams): string {
  return search.size === 0 ? "?" : `?${search}`;
}
