import Inbox from "lucide-react/icons/inbox";
import SearchX from "lucide-react/icons/search-x";
import { ButtonLink } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";

/** An empty list says what would be in it. */
export function NoMessages({ show, q }: { show: string | null; q: string | null }) {
  if (q !== null) {
    return (
      <EmptyState
        boxed
        glyph={SearchX}
        heading="h2"
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
        No message of this list has “{q}” in its text, its sender’s name or address.
      </EmptyState>
    );
  }
  return (
    <EmptyState boxed glyph={Inbox} title={title(show)}>
      {words(show)}
    </EmptyState>
  );
}

function title(show: string | null): string {
  if (show === "done") return "Nothing done yet";
  if (show === "suspicious") return "Nothing suspicious";
  return show === "all" ? "No messages yet" : "No open messages";
}

function words(show: string | null): string {
  if (show === "done") return "Messages that you mark as done are kept here for two years.";
  if (show === "suspicious")
    return "Messages that look like a robot’s are kept here, apart from the others. They get no automatic answer.";
  return "What people write in the contact form stands here. You answer from here, by email.";
}
