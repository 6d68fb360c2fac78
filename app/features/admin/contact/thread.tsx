import { Link } from "react-router";
import type { InboxThread, ThreadMail } from "../../../../domain/contact/inbox.ts";
import { orderStatusLabel } from "../../../../domain/orders/order-status.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { ShortDay } from "../kit/short-day.tsx";
import { useRefreshWhile } from "../kit/use-refresh-while.ts";
import { MessageStateBadge, stateSentence } from "../outbox/message-state.tsx";

/** The automatic receipt and the owner's replies, each with the delivery state of its e-mail. */
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
  const state = { ...mail, delivery: null };
  return (
    <Link
      to={`/admin/messages/sent/${mail.id}`}
      title={mail.lastError ?? stateSentence(state)}
      className="inline-flex min-h-11 items-center gap-2 text-small"
    >
      <MessageStateBadge state={state} />
      {mail.status === "failed" && <span className="underline">Why, and try again</span>}
      {mail.status === "queued" && mail.lastError && <span className="underline">Why</span>}
    </Link>
  );
}

/** The sender's total spending and latest orders, as most questions are about an order. */
export function SenderOrders({ message: { customer, orders } }: { message: InboxThread }) {
  if (customer === null && orders.length === 0) return null;
  return (
    <section
      aria-label="Sender"
      className="mt-6 overflow-clip rounded-md border border-line bg-paper text-ui"
    >
      {customer && (
        <p className="flex flex-wrap items-center justify-between gap-x-4 border-b border-line px-4 last:border-b-0">
          <span className="py-2.5 text-small text-ink-muted">
            Customer with {customer.orders} {customer.orders === 1 ? "order" : "orders"}, worth{" "}
            {formatCents(customer.valueCents)}
          </span>
          <Link to={`/admin/customers/${customer.id}`} className="link inline-flex min-h-11 items-center">
            Customer page
          </Link>
        </p>
      )}
      <ul aria-label="Orders of this address">
        {orders.map((order) => (
          <li key={order.id} className="border-t border-line first:border-t-0">
            <Link
              to={`/admin/orders/${order.id}?status=all`}
              className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 px-4 py-1.5 no-underline -outline-offset-2! hover:bg-cream-soft/60"
            >
              <span>
                <span className="font-medium">#{order.number}</span> {orderStatusLabel(order.status)}
              </span>
              <span className="text-small text-ink-muted">
                <ShortDay iso={order.createdAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
