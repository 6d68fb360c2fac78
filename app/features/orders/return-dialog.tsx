import { returnsSentence } from "../../../domain/settings/facts.ts";
import type { ShopSettings } from "../../../domain/settings/settings.ts";
import { TextArea } from "../../ui/text-area.tsx";
import { useForm } from "../../ui/use-form.ts";
import { callApi } from "../api.ts";
import { ActionDialog, type ActionDialogProps } from "./action-dialog.tsx";

/** Asks why, and says how a return goes on. What was written stays when the dialog is closed by mistake. */
export function ReturnDialog({
  order,
  returns,
  onSend,
  ...dialog
}: ActionDialogProps & { returns: ShopSettings["returns"] }) {
  const form = useForm(
    { reason: "" },
    {
      check: ({ reason }): Record<string, string> =>
        reason.trim() === "" ? { reason: "Please tell us why" } : {},
      problems: dialog.action.problem?.fields ?? {},
    },
  );
  const submit = () => {
    if (!form.submit()) return document.getElementById("return-reason")?.focus();
    onSend((token) =>
      callApi("POST /api/orders/:id/return", { params: { id: order.id }, body: { ...form.values, token } }),
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
        {...form.field("reason")}
        id="return-reason"
        label="Why are you sending it back?"
        required
        maxLength={1000}
      />
    </ActionDialog>
  );
}
