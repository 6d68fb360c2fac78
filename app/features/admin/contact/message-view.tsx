import Check from "lucide-react/icons/check";
import Reply from "lucide-react/icons/reply";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import Trash2 from "lucide-react/icons/trash-2";
import { useEffect, useRef, useState } from "react";
import { Link, useLocation, useNavigate, useRevalidator } from "react-router";
import { contactSubjects } from "../../../../domain/contact/contact.ts";
import {
  type InboxMessage,
  type InboxThread,
  suspicionReasons,
  type ThreadMail,
} from "../../../../domain/contact/inbox.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { useRefreshWhile } from "../../../ui/browser/use-refresh-while.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { callApi } from "../../api.ts";
import { PanelButton } from "../kit/action-button.tsx";
import { ButtonWithConfirmation } from "../kit/confirm-dialog.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { panelStatusLabel } from "../orders/order-labels.ts";
import { MessageStateBadge, stateSentence } from "../outbox/message-state.tsx";
import { MessageState } from "./message-list.tsx";
import { useReplyDraft } from "./reply-draft.ts";
import { ReplyForm } from "./reply-form.tsx";

/** A message with its answers and actions. Opening it marks it as read. */
export function MessageView({ message }: { message: InboxThread }) {
  const { search } = useLocation();
  const navigate = useNavigate();
  const changeStatus = useAdminAction("PATCH /api/admin/messages/:id");
  const markUnread = useAdminAction("PATCH /api/admin/messages/:id");
  const draft = useReplyDraft(
    message.id,
    message.replies.map(({ id }) => id),
  );
  const [isReplying, setReplying] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useMarkRead(message);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per message, because the component is keyed by message
  useEffect(() => {
    heading.current?.focus();
    setReplying(draft.load());
  }, []);

  const params = { id: message.id };
  /** Focuses the heading, because the focused control disappears with the form. */
  function closeReply() {
    setReplying(false);
    heading.current?.focus();
  }
  const isDone = message.status === "done";
  return (
    <article aria-labelledby="message-title" className="min-w-0 p-[clamp(1.25rem,2.5vw,2rem)]">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 id="message-title" ref={heading} tabIndex={-1} className="text-h3 outline-none">
            {contactSubjects[message.subject]}
          </h2>
          <p className="mt-1.5 text-small wrap-anywhere text-ink-muted">
            <span className="max-sm:block">
              {message.name},{" "}
              <a
                className="link"
                href={`mailto:${message.email}?subject=${encodeURIComponent(`Re: ${message.reference}`)}`}
              >
                {message.email}
              </a>
            </span>
            <span className="max-sm:hidden"> · </span>
            <span className="max-sm:block">
              <span className="whitespace-nowrap">
                <ShortDay iso={message.createdAt} withTime />
              </span>{" "}
              · {message.reference}
            </span>
          </p>
        </div>
        {/* The answer below already shows that it was not sent. */}
        {message.reply !== "kept" && <MessageState message={message} />}
      </div>
      {message.suspicion && (
        <Banner tone="warning" className="mt-5" title="A bot may have sent this.">
          {suspicionReasons[message.suspicion]} Its sender got no automatic answer. You can still answer it.
        </Banner>
      )}
      <p className="mt-6 max-w-152 whitespace-pre-line wrap-anywhere">{message.message}</p>
      <SenderOrders message={message} />
      <Thread message={message} />
      {isReplying ? (
        <ReplyForm message={message} draft={draft} onClose={closeReply} />
      ) : (
        <div className="mt-8 flex flex-wrap gap-2 max-sm:grid max-sm:grid-cols-2 max-sm:gap-3 [&>button]:px-3.5">
          <PanelButton variant="primary" className="max-sm:col-span-2" onClick={() => setReplying(true)}>
            <Icon glyph={Reply} size="small" /> {draft.text ? "Continue your answer" : "Reply by email"}
          </PanelButton>
          <PanelButton
            className="max-sm:col-span-2"
            busy={changeStatus.busy}
            busyText={isDone ? "Reopening..." : "Marking..."}
            onClick={() =>
              void changeStatus.run({
                params,
                body: { status: isDone ? "open" : "done" },
                success: { title: isDone ? "Message reopened" : "Message done" },
              })
            }
          >
            <Icon glyph={isDone ? RotateCcw : Check} size="small" /> {isDone ? "Reopen" : "Mark as done"}
          </PanelButton>
          <PanelButton
            busy={markUnread.busy}
            busyText="Marking..."
            onClick={async () => {
              const response = await markUnread.run({ params, body: { read: false } });
              if (response.ok) await navigate(`/admin/messages${search}`);
            }}
          >
            Mark as unread
          </PanelButton>
          <ButtonWithConfirmation
            label={
              <>
                <Icon glyph={Trash2} size="small" /> Delete
              </>
            }
            title={`Delete ${message.reference}?`}
            description="The message, your answers to it and the emails about it in Sent are deleted for good. Emails that were delivered stay where they are."
            confirmLabel="Delete message"
            busyText="Deleting..."
            call="DELETE /api/admin/messages/:id"
            success={{ title: "Message deleted", description: `${message.reference} was deleted for good.` }}
            send={(run) => run({ params, reloads: false })}
            onDone={() => {
              draft.discard();
              return navigate(`/admin/messages${search}`);
            }}
          />
        </div>
      )}
    </article>
  );
}

/** Marks a message as read when it is opened. Fails silently: the message then only stays unread. */
function useMarkRead({ id, readAt }: InboxMessage): void {
  const { revalidate } = useRevalidator();
  const isUnread = readAt === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once when it is opened, so that a message marked as unread stays unread
  useEffect(() => {
    if (!isUnread) return;
    void callApi("PATCH /api/admin/messages/:id", { params: { id }, body: { read: true } }).then(
      (response) => {
        if (response.ok) void revalidate();
      },
    );
  }, [id]);
}

/** The automatic receipt and the owner's replies, each with the delivery state of its e-mail. */
function Thread({ message: { receipt, replies } }: { message: InboxThread }) {
  useRefreshWhile([receipt, ...replies.map(({ mail }) => mail)].some(isQueued));
  return (
    <>
      {receipt && (
        <p className="mt-6 flex flex-wrap items-center gap-x-2 text-small text-ink-muted">
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

function isQueued(mail: ThreadMail | null): boolean {
  return mail?.status === "queued";
}

function MailState({ mail }: { mail: ThreadMail }) {
  const state = { ...mail, delivery: null };
  return (
    <Link
      to={`/admin/messages/sent/${mail.id}`}
      title={mail.lastError ?? stateSentence(state)}
      className="-my-2.5 inline-flex min-h-11 items-center gap-2 text-small"
    >
      <MessageStateBadge state={state} />
      {mail.status === "failed" && <span className="underline">Why, and try again</span>}
      {mail.status === "queued" && mail.lastError && <span className="underline">Why</span>}
    </Link>
  );
}

/** The sender's total spending and latest orders, because most questions are about an order. */
function SenderOrders({ message: { customer, orders } }: { message: InboxThread }) {
  if (customer === null && orders.length === 0) return null;
  return (
    <section
      aria-label="Sender"
      className="mt-6 overflow-clip rounded-md border border-line bg-paper text-ui"
    >
      {customer && (
        <p className="flex flex-wrap items-center justify-between gap-x-4 border-b border-line px-4 last:border-b-0">
          <span className="py-2.5 text-small text-ink-muted">
            {customer.orders} {customer.orders === 1 ? "order" : "orders"}, worth{" "}
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
                <span className="font-medium">#{order.number}</span> {panelStatusLabel(order.status)}
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
