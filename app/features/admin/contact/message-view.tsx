import Check from "lucide-react/icons/check";
import Reply from "lucide-react/icons/reply";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import Trash2 from "lucide-react/icons/trash-2";
import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate, useRevalidator } from "react-router";
import { contactSubjects } from "../../../../domain/contact/contact.ts";
import { type InboxMessage, type InboxThread, suspicionReasons } from "../../../../domain/contact/inbox.ts";
import { Button } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { callApi } from "../../api.ts";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { MessageState } from "./message-list.tsx";
import { useReplyDraft } from "./reply-draft.ts";
import { ReplyForm } from "./reply-form.tsx";
import { SenderOrders, Thread } from "./thread.tsx";

/** A message to read, with what was answered and what can be done. Opening it marks it as read. */
export function MessageView({ message }: { message: InboxThread }) {
  const { search } = useLocation();
  const navigate = useNavigate();
  const status = useAdminAction("PATCH /api/admin/messages/:id");
  const unread = useAdminAction("PATCH /api/admin/messages/:id");
  const draft = useReplyDraft(
    message.id,
    message.replies.map(({ id }) => id),
  );
  const [isReplying, setReplying] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useMarkRead(message);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per message, as the component is keyed by message
  useEffect(() => {
    heading.current?.focus();
    setReplying(draft.load());
  }, []);

  const params = { id: message.id };
  /** Its fields and buttons go with the form. */
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
            {message.name} ·{" "}
            <a
              className="link"
              href={`mailto:${message.email}?subject=${encodeURIComponent(`Re: ${message.reference}`)}`}
            >
              {message.email}
            </a>{" "}
            ·{" "}
            <span className="whitespace-nowrap">
              <ShortDay iso={message.createdAt} withTime />
            </span>{" "}
            · {message.reference}
          </p>
        </div>
        <MessageState message={message} />
      </div>
      {message.suspicion && (
        <Banner tone="warning" className="mt-5" title="This may be a robot’s.">
          {suspicionReasons[message.suspicion]} Its sender got no automatic answer. You can still answer it.
        </Banner>
      )}
      <p className="mt-6 max-w-152 whitespace-pre-line wrap-anywhere">{message.message}</p>
      <SenderOrders message={message} />
      <Thread message={message} />
      {isReplying ? (
        <ReplyForm message={message} draft={draft} onClose={closeReply} />
      ) : (
        <div className="mt-8 flex flex-wrap gap-3 max-sm:grid max-sm:grid-cols-2">
          <Button size="small" className="max-sm:col-span-2" onClick={() => setReplying(true)}>
            <Icon glyph={Reply} size="small" /> {draft.text ? "Go on with your answer" : "Reply by email"}
          </Button>
          <Button
            variant="secondary"
            size="small"
            className="max-sm:col-span-2"
            busy={status.busy}
            busyText={isDone ? "Reopening..." : "Marking..."}
            onClick={() =>
              void status.run({
                params,
                body: { status: isDone ? "open" : "done" },
                success: { title: isDone ? "Message reopened" : "Message done" },
              })
            }
          >
            <Icon glyph={isDone ? RotateCcw : Check} size="small" /> {isDone ? "Reopen" : "Mark as done"}
          </Button>
          <Button
            variant="quiet"
            size="small"
            busy={unread.busy}
            busyText="Marking..."
            onClick={async () => {
              const answer = await unread.run({ params, body: { read: false } });
              if (answer.ok) await navigate(`/admin/messages${search}`);
            }}
          >
            Mark as unread
          </Button>
          <Button variant="danger-quiet" size="small" onClick={() => setDeleting(true)}>
            <Icon glyph={Trash2} size="small" /> Delete
          </Button>
        </div>
      )}
      <DeleteMessage
        message={message}
        open={isDeleting}
        onClose={() => setDeleting(false)}
        onDeleted={() => {
          draft.done();
          return navigate(`/admin/messages${search}`);
        }}
      />
    </article>
  );
}

/** Marks a message as read when it is opened. Fails silently: the message then only stays unread. */
function useMarkRead({ id, readAt }: InboxMessage): void {
  const { revalidate } = useRevalidator();
  const isUnread = readAt === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once when it is opened; marked as unread again, it stays so
  useEffect(() => {
    if (!isUnread) return;
    void callApi("PATCH /api/admin/messages/:id", { params: { id }, body: { read: true } }).then((answer) => {
      if (answer.ok) void revalidate();
    });
  }, [id]);
}

/** Asks, deletes, and leaves the page: there is nothing to reload of it. */
function DeleteMessage({
  message,
  open,
  onClose,
  onDeleted,
}: {
  message: InboxMessage;
  open: boolean;
  onClose: () => void;
  onDeleted: () => unknown;
}) {
  const remove = useAdminAction("DELETE /api/admin/messages/:id", {
    success: { title: "Message deleted", description: `${message.reference} is gone for good.` },
    failure: null,
    reloads: false,
  });
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Delete ${message.reference}?`}
      description="The message, your answers to it and the emails about it in Sent are deleted for good. Emails that were delivered stay where they are."
      confirmLabel="Delete message"
      busyText="Deleting..."
      form={remove}
      send={async () => {
        if ((await remove.run({ params: { id: message.id } })).ok) await onDeleted();
      }}
    />
  );
}
