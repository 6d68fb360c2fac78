import { useState } from "react";
import type { Person } from "../../../../domain/people/person.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { useAdminForm } from "../kit/use-admin-form.ts";
import { RoleField } from "./role-field.tsx";

/** Edits a person's name and role, creates a new link, or removes the account. `isSelf`: it is the viewer's own. */
export function EditPerson({
  person,
  isSelf,
  onLink,
  onClose,
}: {
  person: Person;
  isSelf: boolean;
  onLink: (shown: { name: string; link: string }) => void;
  onClose: () => void;
}) {
  const [isEnding, setEnding] = useState(false);
  const params = { id: person.id };
  const form = useAdminForm("PATCH /api/admin/people/:id", { name: person.name, role: person.role });
  const { name, role } = form.values;
  const isActive = person.state !== "deactivated";
  const isDirty = name.trim() !== person.name || role !== person.role;

  if (isEnding) {
    return <EndAccount person={person} onClose={() => setEnding(false)} onDone={onClose} />;
  }
  return (
    <FormDialog
      id="person"
      title={person.name}
      description={person.email}
      form={form}
      submitLabel="Save"
      busyText="Saving..."
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
          Your own role and account are changed by another owner, or with the access code.
        </p>
      ) : (
        <>
          <RoleField {...form.field("role")} />
          <div className="flex flex-wrap gap-2 border-t border-line pt-4">
            {isActive && <NewLink person={person} onLink={onLink} onClose={onClose} />}
            {isActive ? (
              <Button variant="danger-quiet" size="small" onClick={() => setEnding(true)}>
                {person.state === "invited" ? "Take the invitation back" : "Deactivate"}
              </Button>
            ) : (
              <Button
                variant="secondary"
                size="small"
                busy={form.busy}
                onClick={async () => {
                  const success = { title: `${person.name} has the account back` };
                  if ((await form.run({ params, body: { active: true }, success })).ok) onClose();
                }}
              >
                Give the account back
              </Button>
            )}
          </div>
        </>
      )}
    </FormDialog>
  );
}

/** For a person who lost the link or all passkeys. */
function NewLink({
  person,
  onLink,
  onClose,
}: {
  person: Person;
  onLink: (shown: { name: string; link: string }) => void;
  onClose: () => void;
}) {
  const make = useAdminAction("POST /api/admin/people/:id/invitation", {
    failure: "No link was made",
    success: ({ data: { link } }) =>
      link === null
        ? { title: "A new link is on its way", description: person.email }
        : { title: "A new link was made" },
  });
  async function send() {
    const answer = await make.run({ params: { id: person.id } });
    if (!answer.ok) return;
    onClose();
    const { link } = answer.body.data;
    if (link !== null) onLink({ name: person.name, link });
  }
  return (
    <Button
      variant="secondary"
      size="small"
      busy={make.busy}
      busyText="Making..."
      onClick={() => void send()}
    >
      {person.state === "invited" ? "Send the link again" : "Send a link to sign in"}
    </Button>
  );
}

function EndAccount({
  person,
  onClose,
  onDone,
}: {
  person: Person;
  onClose: () => void;
  onDone: () => void;
}) {
  const isInvited = person.state === "invited";
  const end = useAdminAction("PATCH /api/admin/people/:id", {
    failure: null,
    success: { title: `${person.name} is signed out everywhere`, description: "The account is deactivated." },
  });
  const withdrawEdit = useAdminAction("DELETE /api/admin/people/:id/invitation", {
    failure: null,
    success: { title: `The invitation of ${person.name} is taken back` },
  });
  const action = isInvited ? withdrawEdit : end;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={isInvited ? `Take the invitation of ${person.name} back?` : `Deactivate ${person.name}?`}
      description={
        isInvited
          ? "The link stops working, and the person is taken off the list."
          : "Every browser is signed out at once, and passkeys work no more. What was done under this name stays in the activity log. You can give the account back later."
      }
      confirmLabel={isInvited ? "Take it back" : "Deactivate"}
      busyText="Saving..."
      form={action}
      send={async () => {
        const params = { id: person.id };
        const answer = isInvited
          ? await withdrawEdit.run({ params })
          : await end.run({ params, body: { active: false } });
        if (answer.ok) onDone();
      }}
    />
  );
}
