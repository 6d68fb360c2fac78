import { useId, useState } from "react";
import type { Person } from "../../../../domain/people/person.ts";
import { type Role, roleNames, roleSummaries, roles } from "../../../../domain/people/roles.ts";
import { EmailField, Field } from "../../../ui/field.tsx";
import { ActionButton, PanelButton } from "../kit/action-button.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { ShownOnce } from "../kit/shown-once.tsx";
import { useAdminAction, useAdminForm } from "../kit/use-admin-action.ts";

/** The person and the link that lets them sign in. */
export type Invitation = { name: string; link: string };

/**
 * Edits a person's name and role, sends a new link, withdraws the invitation, or deactivates or reactivates the account.
 * `isSelf`: whether the account is the viewer's own.
 */
export function EditPerson({
  person,
  isSelf,
  onLink,
  onClose,
}: {
  person: Person;
  isSelf: boolean;
  onLink: (invitation: Invitation) => void;
  onClose: () => void;
}) {
  const [isDeactivating, setDeactivating] = useState(false);
  const params = { id: person.id };
  const form = useAdminForm("PATCH /api/admin/people/:id", { name: person.name, role: person.role });
  const { name, role } = form.values;
  const isActive = person.state !== "deactivated";
  const isDirty = name.trim() !== person.name || role !== person.role;

  if (isDeactivating) {
    return <Deactivate person={person} onClose={() => setDeactivating(false)} onDone={onClose} />;
  }
  return (
    <FormDialog
      title={person.name}
      description={person.email}
      form={form}
      submitLabel="Save"
      failure="Nothing was saved."
      isReady={name.trim() !== "" && isDirty}
      send={() => {
        const body = { name, ...(role === person.role ? {} : { role }) };
        return form.run({ params, body, success: { title: `${name.trim()} saved` } });
      }}
      onClose={onClose}
    >
      <Field {...form.field("name")} label="Name" required autoComplete="off" />
      {isSelf ? (
        <p className="text-small text-ink-muted">
          Only another owner, or somebody with the access code, can change your own role and account.
        </p>
      ) : (
        <>
          <RoleField {...form.field("role")} roles={roles} />
          <div className="flex flex-wrap gap-2 border-t border-line pt-4">
            {isActive && <NewLink person={person} onLink={onLink} onClose={onClose} />}
            {isActive ? (
              <PanelButton variant="danger-quiet" onClick={() => setDeactivating(true)}>
                {person.state === "invited" ? "Withdraw invitation" : "Deactivate"}
              </PanelButton>
            ) : (
              <PanelButton
                busy={form.busy}
                onClick={async () => {
                  const success = { title: `${person.name}’s account was reactivated` };
                  if ((await form.run({ params, body: { active: true }, success })).ok) onClose();
                }}
              >
                Reactivate
              </PanelButton>
            )}
          </div>
        </>
      )}
    </FormDialog>
  );
}

/** Sends a new sign-in link to a person who lost the link or all passkeys. */
function NewLink({
  person,
  onLink,
  onClose,
}: {
  person: Person;
  onLink: (invitation: Invitation) => void;
  onClose: () => void;
}) {
  return (
    <ActionButton
      call="POST /api/admin/people/:id/invitation"
      failure="No link was created"
      success={({ data: { link } }) =>
        link === null
          ? { title: "A new link is on its way", description: person.email }
          : { title: "A new link was created" }
      }
      busyText="Creating..."
      send={async (run) => {
        const response = await run({ params: { id: person.id } });
        if (!response.ok) return;
        onClose();
        const { link } = response.body.data;
        if (link !== null) onLink({ name: person.name, link });
      }}
    >
      {person.state === "invited" ? "Send the link again" : "Send a link to sign in"}
    </ActionButton>
  );
}

function Deactivate({
  person,
  onClose,
  onDone,
}: {
  person: Person;
  onClose: () => void;
  onDone: () => void;
}) {
  const isInvited = person.state === "invited";
  const deactivate = useAdminAction("PATCH /api/admin/people/:id", {
    failure: null,
    success: { title: `${person.name} is signed out everywhere`, description: "The account is deactivated." },
  });
  const withdraw = useAdminAction("DELETE /api/admin/people/:id/invitation", {
    failure: null,
    success: { title: `${person.name}’s invitation was withdrawn` },
  });
  const action = isInvited ? withdraw : deactivate;
  return (
    <ConfirmDialog
      onClose={onClose}
      title={isInvited ? `Withdraw ${person.name}’s invitation?` : `Deactivate ${person.name}?`}
      description={
        isInvited
          ? "The link stops working, and the person is removed from the list."
          : "Every browser is signed out at once, and passkeys stop working. The activity log keeps what was done under this name. You can reactivate the account later."
      }
      confirmLabel={isInvited ? "Withdraw" : "Deactivate"}
      form={action}
      send={async () => {
        const params = { id: person.id };
        const response = isInvited
          ? await withdraw.run({ params })
          : await deactivate.run({ params, body: { active: false } });
        if (response.ok) onDone();
      }}
    />
  );
}

/** Invites a person with a role. `onLink` receives the link to pass on when the shop sends no e-mail. */
export function InvitePerson({
  sendsEmail,
  onLink,
  onClose,
}: {
  sendsEmail: boolean;
  onLink: (invitation: Invitation) => void;
  onClose: () => void;
}) {
  const form = useAdminForm("POST /api/admin/people", { name: "", email: "", role: "staff" as Role });
  const { name, email } = form.values;
  async function send() {
    const response = await form.run({
      body: form.values,
      success: ({ data: { link } }) =>
        link === null
          ? { title: `Invited ${name.trim()}`, description: `The link is on its way to ${email}` }
          : { title: `Invited ${name.trim()}` },
    });
    const link = response.ok ? response.body.data.link : null;
    if (link !== null) onLink({ name: name.trim(), link });
    return response;
  }
  return (
    <FormDialog
      title="Invite someone"
      description={
        sendsEmail
          ? "They get a link that works once, within three days, and sign in with a passkey from then on."
          : "The shop has no mail server yet: you get a link to pass on. It works once, within three days."
      }
      form={form}
      submitLabel={sendsEmail ? "Send invitation" : "Create link"}
      busyText="Inviting..."
      failure="Nobody was invited."
      isReady={name.trim() !== "" && email.trim() !== ""}
      send={send}
      onClose={onClose}
    >
      <Field {...form.field("name")} label="Name" required autoComplete="off" />
      <EmailField {...form.field("email")} label="Email" required autoComplete="off" />
      <RoleField {...form.field("role")} roles={roles} />
    </FormDialog>
  );
}

/** A choice among `roles`, each with a summary of its rights. */
export function RoleField<R extends Role>({
  value,
  onChange,
  roles,
}: {
  value: R;
  onChange: (role: R) => void;
  roles: readonly R[];
}) {
  const id = useId();
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-small font-medium">Role</legend>
      {roles.map((role) => (
        <label
          key={role}
          className="flex cursor-pointer gap-3 rounded-sm border border-line bg-surface px-3.5 py-2.5 has-checked:border-forest-700 has-checked:bg-cream-soft"
        >
          <input
            type="radio"
            name="role"
            value={role}
            checked={value === role}
            onChange={() => onChange(role)}
            aria-labelledby={`${id}-${role}`}
            aria-describedby={`${id}-${role}-may`}
            className="mt-1 size-4.5 shrink-0 accent-forest-800"
          />
          <span>
            <span id={`${id}-${role}`} className="block text-ui font-medium">
              {roleNames[role]}
            </span>
            <span id={`${id}-${role}-may`} className="block text-small text-ink-muted">
              {roleSummaries[role]}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

export function InvitationLink({ name, link, onClose }: Invitation & { onClose: () => void }) {
  return (
    <ShownOnce
      title={`The link for ${name}`}
      description="It is shown only now and works once, within three days. Don’t share it further: anyone who opens it can sign in as that person."
      label="Link"
      value={link}
      copyLabel="Copy the link"
      onClose={onClose}
    />
  );
}
