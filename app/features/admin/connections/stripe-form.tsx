import { useState } from "react";
import type { ConnectionsState } from "../../../../domain/connections/connections.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field } from "../../../ui/field.tsx";
import { Switch } from "../kit/switch.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { KeyForm, SecretField } from "./key-form.tsx";

/** Stripe's three keys. Those that are kept may be left empty. */
export function StripeForm({ state, onClose }: { state: ConnectionsState["stripe"]; onClose: () => void }) {
  const [publishableKey, setPublishable] = useState("");
  const [secretKey, setSecret] = useState("");
  const [webhookSecret, setWebhook] = useState("");
  const [otherAccount, setOther] = useState(false);
  // Somebody else's change meanwhile is not what was looked at when this was opened.
  const [version] = useState(state.version);
  const save = useAdminAction("PUT /api/admin/connections/stripe", {
    failure: null,
    success: { title: "Stripe’s keys are kept", description: "They are in use on every server now." },
  });
  const isKept = state.source === "panel";
  const hasWebhook = state.variables.includes("STRIPE_WEBHOOK_SECRET");
  const asksOther = save.fields.otherAccount !== undefined || otherAccount;
  async function keep(untested: boolean) {
    const body = { version, publishableKey, secretKey, webhookSecret, otherAccount, untested };
    if ((await save.run({ body })).ok) onClose();
  }
  return (
    <KeyForm
      id="stripe-keys"
      title="Keys of Stripe"
      description="In Stripe’s dashboard they are under Developers, API keys, and Developers, Webhooks."
      action={save}
      isReady={
        publishableKey + secretKey + webhookSecret !== "" &&
        (isKept || (publishableKey !== "" && secretKey !== "" && (hasWebhook || webhookSecret !== "")))
      }
      onKeep={(untested) => void keep(untested)}
      onClose={onClose}
    >
      <Field
        name="publishableKey"
        label="Publishable key"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        required={!isKept}
        hint={isKept ? `${state.publishableKey} is kept where this is empty.` : "Starts with pk_"}
        error={save.fields.publishableKey}
        value={publishableKey}
        onChange={(event) => setPublishable(event.target.value)}
      />
      <SecretField
        name="secretKey"
        label="Secret key"
        kept={isKept}
        hint="Starts with sk_, or rk_ for a restricted one"
        error={save.fields.secretKey}
        value={secretKey}
        onChange={(event) => setSecret(event.target.value)}
      />
      {!hasWebhook && (
        <SecretField
          name="webhookSecret"
          label="Signing secret of the webhook"
          kept={isKept}
          hint={<span className="wrap-anywhere">Starts with whsec_. Of the endpoint {state.webhookUrl}</span>}
          error={save.fields.webhookSecret}
          value={webhookSecret}
          onChange={(event) => setWebhook(event.target.value)}
        />
      )}
      {asksOther && (
        <Banner tone="warning" title="Another account or mode.">
          <span className="mb-2 block">{save.problem?.message}</span>
          <Switch
            name="otherAccount"
            label="I know. Use these keys from now on"
            checked={otherAccount}
            onChange={setOther}
          />
        </Banner>
      )}
    </KeyForm>
  );
}
