import { useState } from "react";
import type { Role } from "../../../../domain/people/roles.ts";
import { EmailField } from "../../../ui/email-field.tsx";
import { Field } from "../../../ui/field.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { RoleField } from "./role-field.tsx";

/** Who is invited, and as what. `onLink`: what to hand on, where the shop sends no e-mail. */
export function InvitePerson({
  sendsEmail,
  onLink,
  onClose,
}: {
  sendsEmail: boolean;
  onLink: (shown: { name: string; link: string }) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("staff");
  const invite = useAdminAction("POST /api/admin/people", {
    failure: null,
    success: ({ data: { link } }) =>
      link === null
        ? { title: `Invited ${name.trim()}`, description: `The link is on its way to ${email}` }
        : { title: `Invited ${name.trim()}` },
  });
  async function send() {
    const answer = await invite.run({ body: { name, email, role } });
    if (!answer.ok) return;
    onClose();
    const { link } = answer.body.data;
    if (link !== null) onLink({ name: name.trim(), link });
  }
  return (
    <FormDialog
      id="invite"
      title="Invite somebody"
      description={
        sendsEmail
          ? "They get a link that works once, for three days, and sign in with a passkey from then on."
          : "The shop has no mail server yet: you get a link to hand on. It works once, for three days."
      }
      action={invite}
      submitLabel={sendsEmail ? "Send invitation" : "Make the link"}
      busyText="Inviting..."
      failure="Nobody was invited."
      isReady={name.trim() !== "" && email.trim() !== ""}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <Field
        label="Name"
        name="name"
        required
        autoComplete="off"
        value={name}
        error={invite.fields.name}
        onChange={(event) => setName(event.target.value)}
      />
      <EmailField
        label="Email"
        name="email"
        required
        autoComplete="off"
        value={email}
        error={invite.fields.email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <RoleField role={role} onChange={setRole} />
    </FormDialog>
  );
}
