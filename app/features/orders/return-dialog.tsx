import { useState } from "react";
import { returnsSentence } from "../../../domain/settings/facts.ts";
import type { ShopSettings } from "../../../domain/settings/settings.ts";
import { TextArea } from "../../ui/text-area.tsx";
import { callApi } from "../api.ts";
import { ActionDialog, type ActionDialogProps } from "./action-dialog.tsx";

/** Asks why, and says how a return goes on. What was written stays when the dialog is closed by mistake. */
export function ReturnDialog({
  order,
  returns,
  onSend,
  ...dialog
}: ActionDialogProps & { returns: ShopSettings["returns"] }) {
  const [reason, setReason] = useState("");
  const [isMissing, setMissing] = useState(false);
  const submit = () => {
    setMissing(reason.trim() === "");
    if (reason.trim() === "") return document.getElementById("return-reason")?.focus();
    onSend((token) =>
      callApi("POST /api/orders/:id/return", { params: { id: order.id }, body: { reason, token } }),
    );
  };
  return (
    <ActionDialog
      {...dialog}
      onSubmit={submit}
      title="Request a return"
      description={`Order #${order.number}. ${returnsSentence(returns)}`}
      keep="Not now"
      confirm="Send request"
      busyText="Sending..."
    >
      <ol className="grid list-decimal gap-1 pl-5 text-ui wrap-anywhere">
        <li>You tell us why.</li>
        <li>We answer by email to {order.email}, with the address to send the package to.</li>
        <li>Once it is back with us, we refund it.</li>
      </ol>
      <p className="text-small text-ink-muted">Please wait for our answer before you send anything.</p>
      <TextArea
        name="reason"
        id="return-reason"
        label="Why are you sending it back?"
        required
        maxLength={1000}
        value={reason}
        error={isMissing ? "Please tell us why" : dialog.action.problem?.fields.reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </ActionDialog>
  );
}
