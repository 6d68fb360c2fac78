import Send from "lucide-react/icons/send";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { contactReplyMax, type InboxThread } from "../../../../domain/contact/inbox.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { TextArea } from "../../../ui/text-area.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { useMailWords } from "../kit/use-mail-words.ts";
import type { useReplyDraft } from "./reply-draft.ts";

/** The answer to a message. It stays as typed until the shop has it; sending it twice sends it once. */
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
  const mailWords = useMailWords();
  const [isDone, setDone] = useState(true);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("textarea")?.focus(), []);

  async function send(event: FormEvent) {
    event.preventDefault();
    if (action.busy || draft.text.trim() === "") return;
    const answer = await action.run({
      params: { id: message.id },
      body: { text: draft.text, replyId: draft.replyId ?? undefined, done: isDone },
      success: {
        title: mailWords("Answer on its way", "Answer kept, not sent"),
        description: mailWords(isDone ? `${message.reference} is marked as done.` : `To ${message.email}`),
      },
    });
    if (!answer.ok) return;
    draft.done();
    onClose();
  }

  return (
    <form ref={form} onSubmit={send} className="mt-8 grid gap-4 border-t border-line pt-6">
      <TextArea
        name="reply"
        label={`Answer to ${message.name}`}
        hint={`Goes to ${message.email} with the message quoted below it. Kept in this browser until it is sent.`}
        error={action.fields.text}
        rows={8}
        maxLength={contactReplyMax}
        value={draft.text}
        onChange={(event) => draft.keep(event.target.value)}
      />
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
        <Button
          type="submit"
          size="small"
          busy={action.busy}
          busyText="Sending..."
          disabled={draft.text.trim() === ""}
        >
          <Icon glyph={Send} size="small" /> Send answer
        </Button>
        <Button variant="quiet" size="small" disabled={action.busy} onClick={onClose}>
          Close
        </Button>
      </div>
    </form>
  );
}
