import type { ConnectionsState } from "../../../../domain/connections/connections.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field } from "../../../ui/field.tsx";
import { Switch } from "../kit/switch.tsx";
import { useAdminForm } from "../kit/use-admin-form.ts";
import { KeyForm, SecretField } from "./key-form.tsx";

/** Stripe's three keys. Those that are kept may be left empty. */
export function StripeForm({ state, onClose }: { state: ConnectionsState["stripe"]; onClose: () => void }) {
  const form = useAdminForm(
    "PUT /api/admin/connections/stripe",
    {
      // The version when the form was opened, so that the server rejects a save over a newer change.
      version: state.version,
      publishableKey: "",
      secretKey: "",
      webhookSecret: "",
      otherAccount: false,
    },
    { success: { title: "Stripe’s keys are kept", description: "They are in use on every server now." } },
  );
  const { publishableKey, secretKey, webhookSecret, otherAccount } = form.values;
  const isKept = state.source === "panel";
  const hasWebhook = state.variables.includes("STRIPE_WEBHOOK_SECRET");
  const asksOther = form.fields.otherAccount !== undefined || otherAccount;
  return (
    <KeyForm
      id="stripe-keys"
      title="Keys of Stripe"
      description="In Stripe’s dashboard they are under Developers, API keys, and Developers, Webhooks."
      form={form}
      isReady={
        publishableKey + secretKey + webhookSecret !== "" &&
        (isKept || (publishableKey !== "" && secretKey !== "" && (hasWebhook || webhookSecret !== "")))
      }
      onKeep={(untested) => form.run({ body: { ...form.values, untested } })}
      onClose={onClose}
    >
      <Field
        {...form.field("publishableKey")}
        label="Publishable key"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        required={!isKept}
        hint={isKept ? `${state.publishableKey} is kept where this is empty.` : "Starts with pk_"}
      />
      <SecretField
        {...form.field("secretKey")}
        label="Secret key"
        kept={isKept}
        hint="Starts with sk_, or rk_ for a restricted one"
      />
      {!hasWebhook && (
        <SecretField
          {...form.field("webhookSecret")}
          label="Signing secret of the webhook"
          kept={isKept}
          hint={<span className="wrap-anywhere">Starts with whsec_. Of the endpoint {state.webhookUrl}</span>}
        />
      )}
      {asksOther && (
        <Banner tone="warning" title="Another account or mode.">
          <span className="mb-2 block">{form.problem?.message}</span>
          <Switch {...form.field("otherAccount")} label="I know. Use these keys from now on" />
        </Banner>
      )}
    </KeyForm>
  );
}
