import { useState } from "react";
import type { ConnectionsState } from "../../../../domain/connections/connections.ts";
import { TextButton } from "../../../ui/text-button.tsx";
import { CopyableUrl } from "../kit/copy.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { Switch } from "../kit/switch.tsx";
import { useAdminForm } from "../kit/use-admin-action.ts";
import { SecretField } from "./key-forms.tsx";

type State = Pick<ConnectionsState["mail"], "reportsUrl" | "hasMailgunKey">;

/** The URL that the owner enters at the mail provider, so that it reports bounces and complaints. */
export function MailReports({ state }: { state: State }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {state.reportsUrl ? (
        <CopyableUrl url={state.reportsUrl} />
      ) : (
        "This server cannot read the address: create a new one."
      )}
      <span className="mt-1 block max-w-160 text-small text-ink-muted">
        Enter it as a webhook: at Postmark for bounces and spam complaints, at Mailgun for permanent failures
        and spam complaints. Addresses that bounce get no more newsletters; those that complain get only
        emails about their orders. Keep it secret.
        {state.hasMailgunKey && " Only reports with Mailgun’s signature count."}
      </span>
      <TextButton onClick={() => setOpen(true)}>
        New address or signing key<span className="sr-only"> for bounces and complaints</span>
      </TextButton>
      {isOpen && <MailReportsForm state={state} onClose={() => setOpen(false)} />}
    </>
  );
}

function MailReportsForm({ state: { hasMailgunKey }, onClose }: { state: State; onClose: () => void }) {
  const form = useAdminForm(
    "PUT /api/admin/connections/mail/reports",
    { isNewAddress: false, mailgunKey: "", removesMailgunKey: false },
    { success: { title: "Saved" } },
  );
  const { isNewAddress, mailgunKey, removesMailgunKey } = form.values;
  return (
    <FormDialog
      title="Bounces and complaints"
      description="Mailgun signs its reports. With its key, the shop ignores all others."
      form={form}
      submitLabel="Save"
      failure="Nothing was saved."
      isReady={isNewAddress || mailgunKey !== "" || removesMailgunKey}
      send={() => form.run({ body: form.values })}
      onClose={onClose}
    >
      {!removesMailgunKey && (
        <SecretField
          {...form.field("mailgunKey")}
          label="Mailgun’s webhook signing key"
          optional
          isStored={hasMailgunKey}
          hint="In Mailgun’s dashboard, with the webhooks. Leave it empty for Postmark."
        />
      )}
      {hasMailgunKey && <Switch {...form.field("removesMailgunKey")} label="Remove the signing key" />}
      <Switch
        {...form.field("isNewAddress")}
        label="New address"
        hint="If somebody else has seen the current one. Enter the new one at the provider: reports to the old one are lost."
      />
    </FormDialog>
  );
}
