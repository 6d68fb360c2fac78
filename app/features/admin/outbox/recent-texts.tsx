import { Link } from "react-router";
import { messageKindLabels, type OutboxEntry } from "../../../../domain/outbox/outbox.ts";
import { ShortDay } from "../kit/short-day.tsx";
import { MessageStateBadge } from "./message-state.tsx";
import { Panel } from "./panel.tsx";
import { useRefreshWhile } from "./use-refresh-while.ts";

/** The latest texts and whether they arrived; nothing before the first. */
export function RecentTexts({ texts }: { texts: OutboxEntry[] }) {
  useRefreshWhile(texts.some(({ status, delivery }) => status === "queued" || delivery === "accepted"));
  if (texts.length === 0) return null;
  return (
    <Panel title="Recent texts">
      <ul className="-my-2 divide-y divide-line">
        {texts.map((text) => (
          <li key={text.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
            <span className="min-w-0">
              <Link
                to={`/admin/messages/sent/${text.id}?channel=sms`}
                className="inline-flex min-h-11 items-center text-ui underline decoration-line-strong underline-offset-4"
              >
                {text.orderNumber === null ? messageKindLabels[text.kind] : `Order #${text.orderNumber}`}
              </Link>
              {text.lastError && <span className="block text-caption text-danger">{text.lastError}</span>}
            </span>
            <span className="flex items-center gap-3 text-small text-ink-muted">
              <ShortDay iso={text.createdAt} withTime /> <MessageStateBadge state={text} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
