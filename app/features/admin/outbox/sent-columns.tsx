import { Link } from "react-router";
import { messageKindLabels, type OutboxEntry } from "../../../../domain/outbox/outbox.ts";
import { type Column, rowLink } from "../kit/data-table.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { MessageStateBadge } from "./message-state.tsx";

/** `search`: the list's filters, kept while a message is open. */
export function sentColumns(search: string): Column<OutboxEntry>[] {
  return [
    {
      key: "what",
      header: "Message",
      phone: "max-md:col-start-1 max-md:row-start-1",
      cell: (entry) => (
        <>
          <Link
            to={`/admin/messages/sent/${entry.id}${search}`}
            preventScrollReset
            state={{ keepsFocus: true }}
            {...rowLink}
          >
            {messageKindLabels[entry.kind]}
          </Link>
          {entry.copyOf !== null && <span className="block text-caption text-ink-muted">Sent again</span>}
        </>
      ),
    },
    {
      key: "to",
      header: "To",
      phone: "max-md:col-span-2 max-md:row-start-2",
      cell: (entry) => (
        <span className="wrap-anywhere xl:block xl:min-w-48">
          {recipientOf(entry)}
          {entry.orderNumber !== null && (
            <span className="block text-caption text-ink-muted">Order #{entry.orderNumber}</span>
          )}
        </span>
      ),
    },
    {
      key: "state",
      header: "State",
      phone: "max-md:col-start-2 max-md:row-start-1 max-md:self-center",
      cell: (entry) => <MessageStateBadge state={entry} />,
    },
    {
      key: "tries",
      header: "Tries",
      align: "right",
      phone: "max-md:hidden",
      cell: (entry) => entry.attempts,
    },
    {
      key: "error",
      header: "Last problem",
      phone: "max-md:col-span-2 max-md:row-start-4 max-md:empty:hidden",
      cell: (entry) =>
        entry.lastError && (
          <span className="line-clamp-2 text-small wrap-anywhere text-danger">{entry.lastError}</span>
        ),
    },
    {
      key: "when",
      header: "Written",
      nowrap: true,
      phone: "max-md:col-span-2 max-md:row-start-3 max-md:text-small max-md:text-ink-muted",
      cell: (entry) => <ShortDay iso={entry.createdAt} withTime />,
    },
  ];
}

/** To whom, in words where there is no address (any more). */
export function recipientOf({ kind, recipient, status }: OutboxEntry): string {
  if (recipient !== null) return recipient;
  if (kind.startsWith("owner_")) return "You";
  return status === "queued" || status === "sending" ? "The order’s address" : "No longer stored";
}
