import { type ComponentProps, type ReactNode, useEffect, useRef } from "react";
import * as v from "valibot";
import {
  type ConnectionsState,
  connectionTitles,
  type MailSecurity,
} from "../../../../domain/connections/connections.ts";
import type { LabelProvider } from "../../../../domain/labels/labels.ts";
import { emailSchema } from "../../../../domain/shared/email-address.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field, Options, Select } from "../../../ui/field.tsx";
import { PanelButton } from "../kit/action-button.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { Switch } from "../kit/switch.tsx";
import { useAdminForm } from "../kit/use-admin-action.ts";

/** Stripe's three keys; an empty field keeps the stored one, and `version` keeps a newer save from being overwritten. */
export function StripeForm({ state, onClose }: { state: ConnectionsState["stripe"]; onClose: () => void }) {
  const form = useAdminForm(
    "PUT /api/admin/connections/stripe",
    {
      version: state.version,
      publishableKey: "",
      secretKey: "",
      webhookSecret: "",
      otherAccount: false,
    },
    { success: { title: "Stripe’s keys saved", description: "They are in use on every server now." } },
  );
  const { publishableKey, secretKey, webhookSecret, otherAccount } = form.values;
  const isStored = state.source === "panel";
  const hasWebhook = state.variables.includes("STRIPE_WEBHOOK_SECRET");
  const asksAboutAccount = form.fields.otherAccount !== undefined || otherAccount;
  // On https the shop creates the webhook itself, unless Stripe's key lacks the permission or the owner has entered a secret before.
  const createsWebhook = state.webhookUrl.startsWith("https:") && (!isStored || state.webhook !== null);
  const asksForSecret =
    !hasWebhook && (!createsWebhook || form.fields.webhookSecret !== undefined || webhookSecret !== "");
  return (
    <KeyForm
      title="Stripe keys"
      description="Needed to charge cards and to pay you out. Both keys are in Stripe’s dashboard, under Developers, API keys."
      form={form}
      isReady={
        publishableKey + secretKey + webhookSecret !== "" &&
        (isStored ||
          (publishableKey !== "" &&
            secretKey !== "" &&
            (!asksForSecret || form.fields.webhookSecret !== undefined || webhookSecret !== "")))
      }
      onSave={(untested) => form.run({ body: { ...form.values, untested }, timeoutMs: 60_000 })}
      onClose={onClose}
    >
      <Field
        {...form.field("publishableKey")}
        label="Publishable key"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        required={!isStored}
        hint={isStored ? `${state.publishableKey} is kept if this is empty.` : "Starts with pk_"}
      />
      <SecretField
        {...form.field("secretKey")}
        label="Secret key"
        isStored={isStored}
        hint="Starts with sk_, or rk_ for a restricted one"
      />
      {asksForSecret ? (
        <SecretField
          {...form.field("webhookSecret")}
          label="Signing secret of the webhook"
          isStored={isStored}
          hint={
            <span className="wrap-anywhere">
              Proves that a payment report really comes from Stripe. Starts with whsec_. Find it at the
              endpoint {state.webhookUrl}
            </span>
          }
        />
      ) : (
        !hasWebhook && (
          <p className="text-small text-ink-muted">
            Stripe reports payments through a webhook.{" "}
            {state.webhook === null
              ? "The shop creates it with this key and stores its signing secret."
              : "The shop has created it; new keys of the same account keep it."}
          </p>
        )
      )}
      {asksAboutAccount && (
        <Banner tone="warning" title="Another account or mode.">
          <span className="mb-2 block">{form.problem?.message}</span>
          <Switch {...form.field("otherAccount")} label="I understand. Use these keys from now on" />
        </Banner>
      )}
    </KeyForm>
  );
}

/** The Twilio account, and the number from which texts are sent. */
export function TwilioForm({ state, onClose }: { state: ConnectionsState["twilio"]; onClose: () => void }) {
  const form = useAdminForm(
    "PUT /api/admin/connections/twilio",
    { version: state.version, accountSid: "", authToken: "", from: state.from ?? "" },
    { success: { title: "Twilio’s keys saved", description: "They are in use on every server now." } },
  );
  const { accountSid, authToken, from } = form.values;
  const isStored = state.source === "panel";
  return (
    <KeyForm
      title="Twilio keys"
      description="In Twilio’s console they are on the account’s first page."
      form={form}
      isReady={accountSid.trim() !== "" && from.trim() !== "" && (isStored || authToken !== "")}
      onSave={(untested) => form.run({ body: { ...form.values, untested }, timeoutMs: 60_000 })}
      onClose={onClose}
    >
      <Field
        {...form.field("accountSid")}
        label="Account SID"
        required
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        hint={isStored ? `Starts with AC. Until now: ${state.accountSid}` : "Starts with AC"}
      />
      <SecretField {...form.field("authToken")} label="Auth token" isStored={isStored} />
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

const carrierForms = {
  easypost: {
    description:
      "In EasyPost’s dashboard it is under API keys. A test key makes labels for test orders, which cost nothing.",
    label: "API key",
    hint: "Starts with EZAK, a test key with EZTK",
  },
  shippo: {
    description:
      "In Shippo’s settings it is under API. A test token makes labels for test orders, which cost nothing.",
    label: "API token",
    hint: "Starts with shippo_live_, a test token with shippo_test_",
  },
};

/** The key of a service that sells labels. */
export function CarrierForm({
  name,
  state,
  onClose,
}: {
  name: LabelProvider;
  state: ConnectionsState[LabelProvider];
  onClose: () => void;
}) {
  const title = connectionTitles[name];
  const form = useAdminForm(
    `PUT /api/admin/connections/${name}`,
    { version: state.version, apiKey: "" },
    { success: { title: `${title}’s key saved`, description: "Labels can be bought with it now." } },
  );
  const { description, label, hint } = carrierForms[name];
  const isStored = state.source === "panel";
  return (
    <KeyForm
      title={`Key of ${title}`}
      description={description}
      form={form}
      isReady={isStored || form.values.apiKey !== ""}
      onSave={(untested) => form.run({ body: { ...form.values, untested }, timeoutMs: 60_000 })}
      onClose={onClose}
    >
      <SecretField {...form.field("apiKey")} label={label} hint={hint} isStored={isStored} />
    </KeyForm>
  );
}

const ports: Record<MailSecurity, string> = { tls: "465", starttls: "587", none: "25" };

/** SMTP servers of common mail providers, all with STARTTLS on port 587. `user`: hint for the user field. */
const mailProviders: Record<string, { host: string; user: string }> = {
  "Amazon SES": {
    host: "email-smtp.us-east-1.amazonaws.com",
    user: "The SMTP user name created in the SES console. Put your region in the server’s name.",
  },
  Fastmail: { host: "smtp.fastmail.com", user: "Your address there, with an app password." },
  "Gmail or Google Workspace": {
    host: "smtp.gmail.com",
    user: "Your address there, with an app password.",
  },
  Mailgun: {
    host: "smtp.mailgun.org",
    user: "The name of an SMTP user of your sending domain. In the EU, the server is smtp.eu.mailgun.org.",
  },
  Postmark: { host: "smtp.postmarkapp.com", user: "The server API token, as user and as password." },
};

/** The mail server, the sender's address, and the address that is notified of orders. */
export function MailForm({ state, onClose }: { state: ConnectionsState["mail"]; onClose: () => void }) {
  const isServerFixed = state.variables.includes("SMTP_URL");
  const isStored = state.source === "panel" && state.host !== null;
  const form = useAdminForm(
    "PUT /api/admin/connections/mail",
    {
      version: state.version,
      host: isServerFixed ? "" : (state.host ?? ""),
      security: state.security ?? ("starttls" as MailSecurity),
      port: String(state.port ?? ports.starttls),
      user: "",
      password: "",
      isAnonymous: isStored && state.user === null,
      from: state.from ?? "",
      ownerEmail: state.ownerEmail ?? "",
    },
    { success: { title: "Mail server saved", description: "It is in use on every server now." } },
  );
  const { host, security, port, isAnonymous, user, from, ownerEmail } = form.values;
  // Most providers sign in with the address that mail is sent from.
  const proposeAddresses = () => {
    if (!v.is(emailSchema, user)) return;
    form.set({ from: from || user, ownerEmail: ownerEmail || user });
  };
  const provider = Object.keys(mailProviders).find((name) => mailProviders[name]?.host === host) ?? "";
  const isSameServer =
    isStored && host === state.host && port === String(state.port) && security === state.security;
  const keepsSignIn = isSameServer && state.user !== null;
  return (
    <KeyForm
      title="Mail server"
      description="Needed to send buyers their confirmation. Your mail provider calls this SMTP. Before saving, the shop signs in at the server; nothing is sent."
      form={form}
      isReady={isServerFixed || host.trim() === "" || /^\d+$/.test(port)}
      onSave={(untested) =>
        form.run({ body: { ...form.values, port: Number(port), untested }, timeoutMs: 60_000 })
      }
      onClose={onClose}
    >
      {!isServerFixed && (
        <>
          <Select
            name="provider"
            label="Mail provider"
            value={provider}
            onChange={({ target }) => {
              const provider = mailProviders[target.value];
              if (provider) {
                form.set({
                  host: provider.host,
                  security: "starttls",
                  port: ports.starttls,
                  isAnonymous: false,
                });
              }
            }}
          >
            <option value="">Another one</option>
            <Options of={Object.keys(mailProviders)} />
          </Select>
          <Field
            {...form.field("host")}
            label="Server"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            inputMode="url"
            placeholder="smtp.example.com"
          />
          <div className="grid gap-4 sm:grid-cols-[1fr_7rem]">
            <Select
              {...form.field("security")}
              label="Security"
              onChange={(event) => {
                const next = event.target.value as MailSecurity;
                form.set({ security: next, ...(port === ports[security] && { port: ports[next] }) });
              }}
            >
              <option value="starttls">STARTTLS</option>
              <option value="tls">TLS from the start</option>
              <option value="none">None, only in your own network</option>
            </Select>
            <Field
              {...form.field("port", (text) => text.trim())}
              label="Port"
              autoComplete="off"
              inputMode="numeric"
            />
          </div>
          {!isAnonymous && (
            <>
              <SecretField
                {...form.field("user")}
                onBlur={proposeAddresses}
                label="User"
                isStored={keepsSignIn}
                type="text"
                hint={mailProviders[provider]?.user}
              />
              <SecretField {...form.field("password")} label="Password" isStored={keepsSignIn} />
            </>
          )}
          <Switch
            {...form.field("isAnonymous")}
            label="No user is needed"
            hint="The server accepts mail from this machine without signing in"
          />
        </>
      )}
      {!state.variables.includes("MAIL_FROM") && (
        <Field
          {...form.field("from")}
          label="Sender"
          optional
          autoComplete="off"
          hint="What buyers see: Palmira <orders@example.com>, an address that the server may send for"
        />
      )}
      {!state.variables.includes("OWNER_EMAIL") && (
        <Field
          {...form.field("ownerEmail")}
          label="Your address"
          optional
          autoComplete="email"
          inputMode="email"
          hint="Is notified of orders, messages and everything that needs attention"
        />
      )}
    </KeyForm>
  );
}

/** The dialog of one service's keys; if the service cannot be reached, they may be saved untested. */
function KeyForm({
  onSave,
  children,
  ...dialog
}: Omit<ComponentProps<typeof FormDialog>, "submitLabel" | "busyText" | "failure" | "send" | "children"> & {
  onSave: (untested: boolean) => Promise<{ ok: boolean }>;
  children: ReactNode;
}) {
  const { form, onClose } = dialog;
  const isUnreachable = form.problem?.error === "provider_unavailable";
  const untestedBanner = useRef<HTMLDivElement>(null);
  // On a phone the problem is below the fields, out of view.
  useEffect(() => {
    if (isUnreachable) untestedBanner.current?.focus();
  }, [isUnreachable]);
  return (
    <FormDialog
      {...dialog}
      submitLabel="Test and save"
      busyText="Trying..."
      failure="Nothing was saved."
      send={() => onSave(false)}
    >
      {children}
      {form.fields.form && <Banner title="Nothing was saved.">{form.fields.form}.</Banner>}
      {isUnreachable && (
        <Banner ref={untestedBanner} tabIndex={-1} tone="warning" title="Save them untested?">
          <span className="mb-3 block">
            They may be wrong. The card then says that they were not tested; “Try now” tests them later.
          </span>
          <PanelButton
            busy={form.busy}
            onClick={async () => {
              if ((await onSave(true)).ok) onClose();
            }}
          >
            Save untested
          </PanelButton>
        </Banner>
      )}
    </FormDialog>
  );
}

/** Field for a secret, whose text is hidden and which password managers leave alone. */
export function SecretField({ isStored, ...field }: ComponentProps<typeof Field> & { isStored: boolean }) {
  return (
    <Field
      type="password"
      {...field}
      autoComplete="new-password"
      autoCapitalize="off"
      spellCheck={false}
      data-1p-ignore
      required={!isStored && !field.optional}
      {...(isStored ? { placeholder: "Stored. Leave empty to keep it" } : {})}
    />
  );
}
