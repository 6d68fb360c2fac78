import Check from "lucide-react/icons/check";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import Trash2 from "lucide-react/icons/trash-2";
import { useState } from "react";
import type { InboxMessage } from "../../../../domain/contact/inbox.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { ToastMessage } from "../../../ui/toast.tsx";
import { ChosenBar } from "../kit/chosen-bar.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { dropReplyDraft } from "./reply-draft.ts";

/** Bulk actions for the selected messages, one API call per message. `onGone` receives the deleted ones. */
export function ChosenMessages({
  messages,
  onGone,
}: {
  messages: InboxMessage[];
  onGone: (ids: string[]) => void;
}) {
  const [isAsking, setAsking] = useState(false);
  const mark = useAdminAction("PATCH /api/admin/messages");
  const remove = useAdminAction("POST /api/admin/messages/delete", { failure: null });
  const ids = messages.map(({ id }) => id);
  // Where all of them are done, they can be opened again.
  const isDone = messages.every(({ status }) => status === "done");

  async function deleteAll() {
    const answer = await remove.run({
      body: { ids },
      timeoutMs: 60_000,
      success: ({ data }) => deletedToast(data),
    });
    if (!answer.ok) return;
    setAsking(false);
    answer.body.data.deleted.forEach(dropReplyDraft);
    onGone(answer.body.data.deleted);
  }
  return (
    <ChosenBar words={`${countText(ids.length)} chosen`}>
      <Button
        variant="secondary"
        size="small"
        busy={mark.busy}
        busyText={isDone ? "Reopening..." : "Marking..."}
        onClick={() =>
          void mark.run({
            body: { ids, status: isDone ? "open" : "done" },
            success: ({ data }) => ({
              title: `${countText(data.ids.length)} ${isDone ? "reopened" : "marked as done"}`,
            }),
          })
        }
      >
        <Icon glyph={isDone ? RotateCcw : Check} size="small" /> {isDone ? "Reopen" : "Mark as done"}
      </Button>
      <Button variant="danger-quiet" size="small" disabled={mark.busy} onClick={() => setAsking(true)}>
        <Icon glyph={Trash2} size="small" /> Delete
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => {
          remove.forget();
          setAsking(false);
        }}
        title={`Delete ${countText(ids.length)}?`}
        description="The messages, your answers to them and the emails about them in Sent are deleted for good. Emails that were delivered stay where they are."
        confirmLabel={`Delete ${countText(ids.length)}`}
        busyText="Deleting..."
        form={remove}
        send={() => void deleteAll()}
      />
    </ChosenBar>
  );
}

function deletedToast({ deleted, busy }: { deleted: string[]; busy: string[] }): ToastMessage {
  const title = `${countText(deleted.length)} deleted`;
  if (busy.length === 0) return { title };
  const stays = busy.length === 1 ? "1 message stays" : `${busy.length} messages stay`;
  return {
    title,
    tone: "danger",
    description: `${stays}: an email about it is being sent just now. Try again in a minute.`,
  };
}

function countText(count: number): string {
  return count === 1 ? "1 message" : `${count} messages`;
}
