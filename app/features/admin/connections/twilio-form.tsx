import { useState } from "react";
import type { ConnectionsState } from "../../../../domain/connections/connections.ts";
import { Field } from "../../../ui/field.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { KeyForm, SecretField } from "./key-form.tsx";

/** Twilio's account, and the number that texts come from. */
export function TwilioForm({ state, onClose }: { state: ConnectionsState["twilio"]; onClose: () => void }) {
  const [accountSid, setSid] = useState("");
  const [authToken, setToken] = useState("");
  const [from, setFrom] = useState(state.from ?? "");
  const [version] = useState(state.version);
  const save = useAdminAction("PUT /api/admin/connections/twilio", {
    failure: null,
    success: { title: "Twilio’s keys are kept", description: "They are in use on every server now." },
  });
  const isKept = state.source === "panel";
  async function keep(untested: boolean) {
    if ((await save.run({ body: { version, accountSid, authToken, from, untested } })).ok) onClose();
  }
  return (
    <KeyForm
      id="twilio-keys"
      title="Keys of Twilio"
      description="In Twilio’s console they are on the account’s first page."
      action={save}
      isReady={accountSid.trim() !== "" && from.trim() !== "" && (isKept || authToken !== "")}
      onKeep={(untested) => void keep(untested)}
      onClose={onClose}
    >
      <Field
        name="accountSid"
        label="Account SID"
        required
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        hint={isKept ? `Starts with AC. Until now: ${state.accountSid}` : "Starts with AC"}
        error={save.fields.accountSid}
        value={accountSid}
        onChange={(event) => setSid(event.target.value)}
      />
      <SecretField
        name="authToken"
        label="Auth token"
        kept={isKept}
        error={save.fields.authToken}
        value={authToken}
        onChange={(event) => setToken(event.target.value)}
      />
      <Field
        name="from"
        label="Sends from"
        required
        autoComplete="off"
        hint="A number like +15550100, or a messaging service (MG...)"
        error={save.fields.from}
        value={from}
        onChange={(event) => setFrom(event.target.value)}
      />
    </KeyForm>
  );
}
