import type { Role } from "../../../../domain/people/roles.ts";
import { EmailField } from "../../../ui/email-field.tsx";
import { Field } from "../../../ui/field.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { useAdminForm } from "../kit/use-admin-form.ts";
import { RoleField } from "./role-field.tsx";

/** Invites a person with a role. `onLink` receives the link to pass on when the shop sends no e-mail. */
export function InvitePerson({
  sendsEmail,
  onLink,
  onClose,
}: {
  sendsEmail: boolean;
  onLink: (shown: { name: string; link: string }) => void;
  onClose: () => void;
}) {
  const form = useAdminForm("POST /api/admin/people", { name: "", email: "", role: "staff" as Role });
  const { name, email } = form.values;
  async function send() {
    const answer = await form.run({
      body: form.values,
      success: ({ data: { link } }) =>
        link === null
          ? { title: `Invited ${name.trim()}`, description: `The link is on its way to ${email}` }
          : { title: `Invited ${name.trim()}` },
    });
    const link = answer.ok ? answer.body.data.link : null;
    if (link !== null) onLink({ name: name.trim(), link });
    return answer;
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
      form={form}
      submitLabel={sendsEmail ? "Send invitation" : "Make the link"}
      busyText="Inviting..."
      failure="Nobody was invited."
      isReady={name.trim() !== "" && email.trim() !== ""}
      send={send}
      onClose={onClose}
    >
      <Field {...form.field("name")} label="Name" required autoComplete="off" />
      <EmailField {...form.field("email")} label="Email" required autoComplete="off" />
      <RoleField {...form.field("role")} />
    </FormDialog>
  );
}
