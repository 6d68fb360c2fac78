import { Link } from "react-router";
import type { InboxThread, ThreadMail } from "../../../../domain/contact/inbox.ts";
import { orderStatusLabel } from "../../../../domain/orders/order-status.ts";
import { ShortDay } from "../kit/short-day.tsx";
import { MessageStateBadge, stateSentence } from "../outbox/message-state.tsx";
import { useRefreshWhile } from "../outbox/use-refresh-while.ts";

/** What was answered, by the shop itself and by the owner, and how far each e-mail got. */
export function Thread({ message: { receipt, replies } }: { message: InboxThread }) {
  useRefreshWhile([receipt, ...replies.map(({ mail }) => mail)].some(isUnderWay));
  return (
    <>
      {receipt && (
        <p className="mt-6 flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-ink-muted">
          Automatic answer with the reference <MailState mail={receipt} />
        </p>
      )}
      {replies.length > 0 && (
        <ol aria-label="Your answers" className="mt-6 grid max-w-152 gap-4">
          {replies.map((reply) => (
            <li key={reply.id} className="rounded-md border border-line bg-paper p-5">
              <p className="flex flex-wrap items-center justify-between gap-2 text-small text-ink-muted">
                <span>
                  You, <ShortDay iso={reply.createdAt} withTime />
                </span>
                {reply.mail && <MailState mail={reply.mail} />}
              </p>
              <p className="mt-3 whitespace-pre-line wrap-anywhere">{reply.text}</p>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

function isUnderWay(mail: ThreadMail | null): boolean {
  return mail?.status === "queued" || mail?.status === "sending";
}

function MailState({ mail }: { mail: ThreadMail }) {
  const state = { status: mail.status, delivery: null };
  return (
    <Link
      to={`/admin/messages/sent/${mail.id}`}
      title={mail.lastError ?? stateSentence(state)}
      className="inline-flex min-h-11 items-center gap-2 text-small"
    >
      <MessageStateBadge state={state} />
      {mail.status === "failed" && <span className="underline">Why, and try again</span>}
    </Link>
  );
}

/** The latest orders of the sender's address, which is what most questions are about. */
export function SenderOrders({ orders }: { orders: InboxThread["orders"] }) {
  if (orders.length === 0) return null;
  return (
    <p className="mt-5 flex flex-wrap gap-x-4 text-small text-ink-muted">
      <span className="inline-flex min-h-11 items-center">Orders of this address:</span>
      {orders.map((order) => (
        <Link
          key={order.id}
          to={`/admin/orders/${order.id}`}
          className="link inline-flex min-h-11 items-center gap-1.5"
        >
          #{order.number}, {orderStatusLabel(order.status)}, <ShortDay iso={order.createdAt} />
        </Link>
      ))}
    </p>
  );
}
