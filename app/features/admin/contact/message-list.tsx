import Inbox from "lucide-react/icons/inbox";
import SearchX from "lucide-react/icons/search-x";
import { NavLink } from "react-router";
import { contactSubjects } from "../../../../domain/contact/contact.ts";
import type { InboxMessage, ReplyState } from "../../../../domain/contact/inbox.ts";
import { Badge } from "../../../ui/badge.tsx";
import { ButtonLink } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ChoiceBox, type RowSelection } from "../kit/list/row-selection.tsx";
import { ShortDay } from "../kit/short-day.tsx";

/** A line for each message, with a checkbox; unread ones are bold, and marked for screen readers. */
export function MessageList({
  messages,
  openId,
  search,
  selection,
}: {
  messages: InboxMessage[];
  openId: string | undefined;
  /** Query string with the list's filters, kept in the links to messages. */
  search: string;
  selection: RowSelection;
}) {
  return (
    <ul>
      {messages.map((message) => (
        <li
          key={message.id}
          className={`flex border-b border-line last:border-b-0 ${message.id === openId ? "bg-paper shadow-[inset_3px_0_0_var(--color-copper-600)]" : "hover:bg-cream-soft/60"}`}
        >
          <ChoiceBox
            label={`Choose ${message.reference} of ${message.name}`}
            className="self-start pr-0 pl-4"
            checked={selection.has(message.id)}
            onChange={(isChosen) => selection.toggle(message.id, isChosen)}
          />
          <NavLink
            to={`/admin/messages/${message.id}${search}`}
            preventScrollReset
            state={{ keepsFocus: true }}
            aria-current={message.id === openId ? "true" : undefined}
            className="stack min-w-0 flex-1 gap-0.5 py-3 pr-5 pl-3 no-underline -outline-offset-2!"
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

/** Badge with the most important state of a message. */
export function MessageState({ message }: { message: InboxMessage }) {
  if (message.suspicion === "honeypot") return <Badge tone="red">Suspicious</Badge>;
  if (message.reply !== null) return <ReplyBadge state={message.reply} />;
  if (message.status === "done") return <Badge tone="blue">Done</Badge>;
  if (message.readAt === null) return <Badge tone="yellow">New</Badge>;
  return message.suspicion === "too_fast" ? <Badge tone="red">Sent at once</Badge> : null;
}

const replyBadges = {
  waits: { tone: "yellow", word: "Reply waiting" },
  sent: { tone: "green", word: "Answered" },
  kept: { tone: "blue", word: "Reply kept, not sent" },
  failed: { tone: "red", word: "Reply failed" },
} as const;

function ReplyBadge({ state }: { state: ReplyState }) {
  const { tone, word } = replyBadges[state];
  return <Badge tone={tone}>{word}</Badge>;
}

/** Explains an empty list. */
export function NoMessages({ show, q }: { show: string | null; q: string | null }) {
  if (q !== null) {
    return (
      <EmptyState
        boxed
        glyph={SearchX}
        title="Nothing found"
        action={
          <ButtonLink
            variant="secondary"
            size="small"
            to={`/admin/messages?show=all&q=${encodeURIComponent(q)}`}
          >
            Search all messages
          </ButtonLink>
        }
      >
        No message in this list contains “{q}” in its text, its sender’s name or address.
      </EmptyState>
    );
  }
  return (
    <EmptyState boxed glyph={Inbox} title={emptyTitle(show)}>
      {emptyText(show)}
    </EmptyState>
  );
}

function emptyTitle(show: string | null): string {
  if (show === "done") return "Nothing done yet";
  if (show === "suspicious") return "Nothing suspicious";
  return show === "all" ? "No messages yet" : "No open messages";
}

function emptyText(show: string | null): string {
  if (show === "done") return "Messages that you mark as done are kept here for two years.";
  if (show === "suspicious")
    return "Messages that seem to be from a bot are kept here, separate from the others. They get no automatic answer.";
  return "Messages from the contact form appear here. You answer them here, by email.";
}
