import BookText from "lucide-react/icons/book-text";
import Send from "lucide-react/icons/send";
import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from "react";
import { type InboxThread, maxContactReplyLength } from "../../../../domain/contact/inbox.ts";
import {
  fillReply,
  firstUnfilledPlaceholder,
  parseFirstName,
} from "../../../../domain/contact/saved-reply.ts";
import { TextArea } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { PanelButton } from "../kit/action-button.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { useMailNotice } from "../kit/use-mail-notice.ts";
import type { useReplyDraft } from "./reply-draft.ts";

const SavedReplies = lazy(() =>
  import("./saved-replies.tsx").then((module) => ({ default: module.SavedReplies })),
);

/** The answer to a message. The typed text is stored in the browser until it is sent; a repeated call sends it only once. */
export function ReplyForm({
  message,
  draft,
  onClose,
}: {
  message: InboxThread;
  draft: ReturnType<typeof useReplyDraft>;
  onClose: () => void;
}) {
  const action = useAdminAction("POST /api/admin/messages/:id/reply", {
    failure: "Your answer was not sent",
  });
  const mailNotice = useMailNotice();
  const [isDone, setDone] = useState(true);
  const [isChoosing, setChoosing] = useState(false);
  const [hasTriedToSend, setHasTriedToSend] = useState(false);
  const unfilledPlaceholder = firstUnfilledPlaceholder(draft.text);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector("textarea")?.focus();
    // Focusing alone may leave most of the field below the fold.
    form.current?.scrollIntoView({ block: "nearest" });
  }, []);

  async function send(event: FormEvent) {
    event.preventDefault();
    if (action.busy || draft.text.trim() === "") return;
    setHasTriedToSend(true);
    if (unfilledPlaceholder !== null) return form.current?.querySelector("textarea")?.focus();
    const response = await action.run({
      params: { id: message.id },
      body: { text: draft.text, replyId: draft.replyId ?? undefined, done: isDone },
      success: {
        title: mailNotice("Answer on its way", "Answer kept, not sent", "Answer waiting to be sent"),
        description: mailNotice(isDone ? `${message.reference} is marked as done.` : `To ${message.email}`),
      },
    });
    if (!response.ok) {
      // Another tab has sent this draft with a different text. With the same reply id, this text would never be accepted,
      // and would be deleted as sent.
      if (response.problem.error === "invalid_state") draft.renew();
      return;
    }
    draft.discard();
    onClose();
  }

  function insert(text: string) {
    const facts = {
      firstName: parseFirstName(message.name),
      orderNumber: message.orders[0]?.number ?? null,
    };
    const existingText = draft.text.trimEnd();
    draft.update(`${existingText}${existingText ? "\n\n" : ""}${fillReply(text, facts)}`);
    setChoosing(false);
    // Waits until the closing dialog has returned the focus.
    setTimeout(() => form.current?.querySelector("textarea")?.focus(), 50);
  }

  return (
    <>
      <form ref={form} onSubmit={send} className="mt-8 grid gap-4 border-t border-line pt-6">
        <TextArea
          name="reply"
          label={`Answer to ${message.name}`}
          hint={`Goes to ${message.email} with the message quoted below it. Kept in this browser until it is sent.`}
          error={
            action.fields.text ??
            (hasTriedToSend && unfilledPlaceholder !== null
              ? `Replace ${unfilledPlaceholder} with the text that belongs there.`
              : undefined)
          }
          rows={8}
          maxLength={maxContactReplyLength}
          readOnly={action.busy}
          value={draft.text}
          onChange={(event) => draft.update(event.target.value)}
        />
        <div>
          <PanelButton disabled={action.busy} onClick={() => setChoosing(true)}>
            <Icon glyph={BookText} size="small" /> Saved replies
          </PanelButton>
        </div>
        <label className="flex min-h-11 cursor-pointer items-center gap-3 text-ui">
          <input
            type="checkbox"
            checked={isDone}
            onChange={(event) => setDone(event.target.checked)}
            className="size-5 shrink-0 accent-forest-800"
          />
          Mark the message as done
        </label>
        <div className="flex flex-wrap gap-3 max-sm:grid">
          <PanelButton
            variant="primary"
            type="submit"
            busy={action.busy}
            busyText="Sending..."
            disabled={draft.text.trim() === ""}
          >
            <Icon glyph={Send} size="small" /> Send answer
          </PanelButton>
          <PanelButton variant="quiet" disabled={action.busy} onClick={onClose}>
            Close
          </PanelButton>
        </div>
      </form>
      {/* Outside the form, which would otherwise receive the dialog's submit event from React. */}
      {isChoosing && (
        <Suspense>
          <SavedReplies draft={draft.text} onChoose={insert} onClose={() => setChoosing(false)} />
        </Suspense>
      )}
    </>
  );
}
