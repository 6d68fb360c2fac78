import { NavLink } from "react-router";
import { contactSubjects } from "../../../../domain/contact.ts";
import type { InboxMessage } from "../../../../domain/inbox.ts";
import { Badge } from "../../../ui/badge.tsx";
import { ShortDay } from "../kit/short-day.tsx";

/** One line of each message; unread ones in bold, and said so. */
export function MessageList({
  messages,
  openId,
  search,
}: {
  messages: InboxMessage[];
  openId: string | undefined;
  /** The list's own filters, kept while reading. */
  search: string;
}) {
  return (
    <ul>
      {messages.map((message) => (
        <li key={message.id} className="border-b border-line last:border-b-0">
          <NavLink
            to={`/admin/messages/${message.id}${search}`}
            preventScrollReset
            state={{ keepsFocus: true }}
            aria-current={message.id === openId ? "true" : undefined}
            className="grid grid-cols-[minmax(0,1fr)] gap-0.5 px-5 py-4 no-underline -outline-offset-2! hover:bg-cream-soft/60 aria-[current=true]:bg-cream-soft aria-[current=true]:shadow-[inset_3px_0_0_var(--color-copper-600)]"
          >
            <span className="flex items-baseline justify-between gap-3">
              <span className={`truncate ${message.readAt === null ? "font-semibold" : ""}`}>
                {message.readAt === null && <span className="sr-only">Unread: </span>}
                {message.name}
              </span>
              <span className="text-caption whitespace-nowrap text-ink-muted">
                <ShortDay iso={message.createdAt} />
              </span>
            </span>
            <span className="flex items-center justify-between gap-3 text-small text-ink-muted">
              <span className="truncate">{contactSubjects[message.subject]}</span>
              <MessageState message={message} />
            </span>
            <span className="truncate text-small">{message.message}</span>
          </NavLink>
        </li>
      ))}
    </ul>
  );
}

/** What is special about a message, as one word. */
export function MessageState({ message }: { message: InboxMessage }) {
  if (message.suspicion !== null) return <Badge tone="red">Suspicious</Badge>;
  if (message.answeredAt !== null) return <Badge tone="green">Answered</Badge>;
  if (message.status === "done") return <Badge tone="blue">Done</Badge>;
  return message.readAt === null ? <Badge tone="yellow">New</Badge> : null;
}
