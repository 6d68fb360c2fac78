import type { ConnectionsState } from "../../../../domain/connections/connections.ts";
import { Field } from "../../../ui/field.tsx";
import { useAdminForm } from "../kit/use-admin-form.ts";
import { KeyForm, SecretField } from "./key-form.tsx";

/** Twilio's account, and the number that texts come from. */
export function TwilioForm({ state, onClose }: { state: ConnectionsState["twilio"]; onClose: () => void }) {
  const form = useAdminForm(
    "PUT /api/admin/connections/twilio",
    { version: state.version, accountSid: "", authToken: "", from: state.from ?? "" },
    { success: { title: "Twilio’s keys are kept", description: "They are in use on every server now." } },
  );
  const { accountSid, authToken, from } = form.values;
  const isKept = state.source === "panel";
  return (
    <KeyForm
      id="twilio-keys"
      title="Keys of Twilio"
      description="In Twilio’s console they are on the account’s first page."
      form={form}
      isReady={accountSid.trim() !== "" && from.trim() !== "" && (isKept || authToken !== "")}
      onKeep={(untested) => form.run({ body: { ...form.values, untested } })}
      onClose={onClose}
    >
      <Field
        {...form.field("accountSid")}
        label="Account SID"
        required
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        hint={isKept ? `Starts with AC. Until now: ${state.accountSid}` : "Starts with AC"}
      />
      <SecretField {...form.field("authToken")} label="Auth token" kept={isKept} />
      <Field
        {...form.field("from")}
        label="Sends from"
        required
        autoComplete="off"
        hint="A number like +15550100, or a messaging service (MG...)"
      />
    </KeyForm>
  );
}
