import { useState } from "react";
import type { InboxMessage } from "../../../../domain/contact/inbox.ts";
import { toast } from "../../../ui/toast.tsx";
import { type ApiProblem, callApi } from "../../api.ts";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { withUnlock } from "../shell/unlock-again.tsx";

/** Asks, deletes, and leaves the page: there is nothing to reload of it. */
export function DeleteMessage({
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
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);

  async function remove() {
    setBusy(true);
    setProblem(null);
    const answer = await withUnlock(() =>
      callApi("DELETE /api/admin/messages/:id", { params: { id: message.id } }),
    );
    if (answer.ok) {
      toast({ title: "Message deleted", description: `${message.reference} is gone for good.` });
      await onDeleted();
    } else setProblem(answer.problem);
    setBusy(false);
  }
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Delete ${message.reference}?`}
      description="The message, your answers to it and the emails about it in Sent are deleted for good. Emails that were delivered stay where they are."
      confirmLabel="Delete message"
      busyText="Deleting..."
      busy={isBusy}
      problem={problem}
      onConfirm={() => void remove()}
    />
  );
}
