import { messageChannels, messageKinds, messageStatuses } from "../../../../domain/outbox/outbox.ts";

const shownAtOnce = "50";
const offered: Record<string, readonly string[]> = {
  status: messageStatuses,
  channel: messageChannels,
  kind: messageKinds,
};

/** What the list is asked for, by the page's own address. A value that nobody offers asks for nothing. */
export function outboxQuery(search: URLSearchParams): Record<string, string> {
  const query: Record<string, string> = { limit: shownAtOnce };
  for (const [name, values] of Object.entries(offered)) {
    const value = search.get(name);
    if (value !== null && values.includes(value)) query[name] = value;
  }
  for (const name of ["q", "cursor"]) {
    const value = search.get(name);
    if (value) query[name] = value;
  }
  return query;
}
