import { messageChannels, messageKinds, messageStatuses } from "../../../../domain/outbox/outbox.ts";

const shownAtOnce = "50";
const offered: Record<string, readonly string[]> = {
  status: messageStatuses,
  channel: messageChannels,
  kind: messageKinds,
};

/** `/api/admin/outbox?...` for the page's own address. A value that nobody offers asks for nothing. */
export function outboxPath(search: URLSearchParams): string {
  const query = new URLSearchParams({ limit: shownAtOnce });
  for (const [name, values] of Object.entries(offered)) {
    const value = search.get(name);
    if (value !== null && values.includes(value)) query.set(name, value);
  }
  for (const name of ["q", "cursor"]) {
    const value = search.get(name);
    if (value) query.set(name, value);
  }
  return `/api/admin/outbox?${query}`;
}
