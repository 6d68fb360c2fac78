import { useState } from "react";
import type { ConnectionsState, MailSecurity } from "../../../../domain/connections/connections.ts";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { Switch } from "../kit/switch.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { KeyForm, SecretField } from "./key-form.tsx";

const ports: Record<MailSecurity, string> = { tls: "465", starttls: "587", none: "25" };

/** The mail server, who the mail is from, and who hears of orders. */
export function MailForm({ state, onClose }: { state: ConnectionsState["mail"]; onClose: () => void }) {
  const isServerFixed = state.variables.includes("SMTP_URL");
  const isKept = state.source === "panel" && state.host !== null;
  const [host, setHost] = useState(isServerFixed ? "" : (state.host ?? ""));
  const [security, setSecurity] = useState<MailSecurity>(state.security ?? "starttls");
  const [port, setPort] = useState(String(state.port ?? ports.starttls));
  const [user, setUser] = useState("");
  const [password, setPassword] = useState("");
  const [isAnonymous, setAnonymous] = useState(isKept && state.user === null);
  const [from, setFrom] = useState(state.from ?? "");
  const [ownerEmail, setOwnerEmail] = useState(state.ownerEmail ?? "");
  const [version] = useState(state.version);
  const save = useAdminAction("PUT /api/admin/connections/mail", {
    failure: null,
    success: { title: "The mail server is kept", description: "It is in use on every server now." },
  });
  const isSame = isKept && host === state.host && port === String(state.port) && security === state.security;
  const mayStay = isSame && state.user !== null;
  async function keep(untested: boolean) {
    const body = {
      version,
      host,
      port: Number(port),
      security,
      user,
      password,
      isAnonymous,
      from,
      ownerEmail,
      untested,
    };
    if ((await save.run({ body })).ok) onClose();
  }
  return (
    <KeyForm
      id="mail-keys"
      title="Mail server"
      description="Your mail provider calls this SMTP. The server is signed in at before it is kept; nothing is sent."
      action={save}
      isReady={isServerFixed || host.trim() === "" || /^\d+$/.test(port)}
      onKeep={(untested) => void keep(untested)}
      onClose={onClose}
    >
      {!isServerFixed && (
        <>
          <Field
            name="host"
            label="Server"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            inputMode="url"
            placeholder="smtp.example.com"
            error={save.fields.host}
            value={host}
            onChange={(event) => setHost(event.target.value)}
          />
          <div className="grid gap-4 sm:grid-cols-[1fr_7rem]">
            <Select
              name="security"
              label="Security"
              value={security}
              onChange={(event) => {
                const next = event.target.value as MailSecurity;
                if (port === ports[security]) setPort(ports[next]);
                setSecurity(next);
              }}
            >
              <option value="starttls">STARTTLS</option>
              <option value="tls">TLS from the start</option>
              <option value="none">None, in your own network alone</option>
            </Select>
            <Field
              name="port"
              label="Port"
              autoComplete="off"
              inputMode="numeric"
              error={save.fields.port}
              value={port}
              onChange={(event) => setPort(event.target.value.trim())}
            />
          </div>
          {!isAnonymous && (
            <>
              <SecretField
                name="user"
                label="User"
                kept={mayStay}
                type="text"
                error={save.fields.user}
                value={user}
                onChange={(event) => setUser(event.target.value)}
              />
              <SecretField
                name="password"
                label="Password"
                kept={mayStay}
                error={save.fields.password}
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            </>
          )}
          <Switch
            name="isAnonymous"
            label="No user is needed"
            hint="The server takes mail from this machine as it is"
            checked={isAnonymous}
            onChange={setAnonymous}
          />
        </>
      )}
      {!state.variables.includes("MAIL_FROM") && (
        <Field
          name="from"
          label="Sender"
          optional
          autoComplete="off"
          hint="Palmira <orders@example.com>: an address that the server may send for"
          error={save.fields.from}
          value={from}
          onChange={(event) => setFrom(event.target.value)}
        />
      )}
      {!state.variables.includes("OWNER_EMAIL") && (
        <Field
          name="ownerEmail"
          label="Your address"
          optional
          autoComplete="email"
          inputMode="email"
          hint="Who hears of orders, messages and whatever needs attention"
          error={save.fields.ownerEmail}
          value={ownerEmail}
          onChange={(event) => setOwnerEmail(event.target.value)}
        />
      )}
    </KeyForm>
  );
}
