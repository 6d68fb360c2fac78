const shownAtOnce = "25";

/** What each of the inbox's lists (`?show=`) asks the API for. */
const lists: Record<string, Record<string, string>> = {
  open: { status: "open", suspicious: "false" },
  done: { status: "done" },
  suspicious: { suspicious: "true" },
  all: {},
};

/** `/api/admin/messages?...` for the inbox's own address. What nobody offers is taken for the list of open ones. */
export function inboxPath(search: URLSearchParams): string {
  const query = new URLSearchParams(lists[search.get("show") ?? "open"] ?? lists.open);
  for (const name of ["q", "cursor"]) {
    const value = search.get(name);
    if (value) query.set(name, value);
  }
  query.set("limit", shownAtOnce);
  return `/api/admin/messages?${query}`;
}
