import type { ConnectionsState, MailSecurity } from "../../../../domain/connections/connections.ts";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { Switch } from "../kit/switch.tsx";
import { useAdminForm } from "../kit/use-admin-form.ts";
import { KeyForm, SecretField } from "./key-form.tsx";

const ports: Record<MailSecurity, string> = { tls: "465", starttls: "587", none: "25" };

/** The mail server, who the mail is from, and who hears of orders. */
export function MailForm({ state, onClose }: { state: ConnectionsState["mail"]; onClose: () => void }) {
  const isServerFixed = state.variables.includes("SMTP_URL");
  const isKept = state.source === "panel" && state.host !== null;
  const form = useAdminForm(
    "PUT /api/admin/connections/mail",
    {
      version: state.version,
      host: isServerFixed ? "" : (state.host ?? ""),
      security: state.security ?? ("starttls" as MailSecurity),
      port: String(state.port ?? ports.starttls),
      user: "",
      password: "",
      isAnonymous: isKept && state.user === null,
      from: state.from ?? "",
      ownerEmail: state.ownerEmail ?? "",
    },
    { success: { title: "The mail server is kept", description: "It is in use on every server now." } },
  );
  const { host, security, port, isAnonymous } = form.values;
  const isSame = isKept && host === state.host && port === String(state.port) && security === state.security;
  const mayStay = isSame && state.user !== null;
  return (
    <KeyForm
      id="mail-keys"
      title="Mail server"
      description="Your mail provider calls this SMTP. The server is signed in at before it is kept; nothing is sent."
      form={form}
      isReady={isServerFixed || host.trim() === "" || /^\d+$/.test(port)}
      onKeep={(untested) => form.run({ body: { ...form.values, port: Number(port), untested } })}
      onClose={onClose}
    >
      {!isServerFixed && (
        <>
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
              <option value="none">None, in your own network alone</option>
            </Select>
            <Field
              {...form.field("port", (typed) => typed.trim())}
              label="Port"
              autoComplete="off"
              inputMode="numeric"
            />
          </div>
          {!isAnonymous && (
            <>
              <SecretField {...form.field("user")} label="User" kept={mayStay} type="text" />
              <SecretField {...form.field("password")} label="Password" kept={mayStay} />
            </>
          )}
          <Switch
            {...form.field("isAnonymous")}
            label="No user is needed"
            hint="The server takes mail from this machine as it is"
          />
        </>
      )}
      {!state.variables.includes("MAIL_FROM") && (
        <Field
          {...form.field("from")}
          label="Sender"
          optional
          autoComplete="off"
          hint="Palmira <orders@example.com>: an address that the server may send for"
        />
      )}
      {!state.variables.includes("OWNER_EMAIL") && (
        <Field
          {...form.field("ownerEmail")}
          label="Your address"
          optional
          autoComplete="email"
          inputMode="email"
          hint="Who hears of orders, messages and whatever needs attention"
        />
      )}
    </KeyForm>
  );
}
