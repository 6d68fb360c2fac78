/**
 * The page's own address with one parameter changed (null: taken out). What was paged through starts anew, unless the
 * parameter is the cursor itself.
 */
export function withParam(search: URLSearchParams, name: string, value: string | null): string {
  const next = new URLSearchParams(search);
  next.delete("cursor");
  if (value === null || value === "") next.delete(name);
  else next.set(name, value);
  const text = next.toString();
  return text === "" ? "?" : `?${text}`;
}
