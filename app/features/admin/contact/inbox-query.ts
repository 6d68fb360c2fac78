const shownAtOnce = 25;

/** What each of the inbox's lists (`?show=`) asks the API for. */
const lists: Record<string, { status?: string; suspicious?: boolean }> = {
  open: { status: "open", suspicious: false },
  done: { status: "done" },
  suspicious: { suspicious: true },
  all: {},
};

/** What the inbox's own address asks of the API. A list that nobody offers is taken for the list of open ones. */
export function inboxQuery(search: URLSearchParams) {
  const list = lists[search.get("show") ?? "open"] ?? lists.open;
  return { ...list, q: search.get("q") || null, cursor: search.get("cursor") || null, limit: shownAtOnce };
}
