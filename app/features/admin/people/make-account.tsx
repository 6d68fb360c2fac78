import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { EmailField } from "../../../ui/email-field.tsx";
import { Field } from "../../../ui/field.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { useAdminForm } from "../kit/use-admin-form.ts";

/** An account of one's own for whoever came by the access code. */
export function MakeAccount() {
  const [isOpen, setOpen] = useState(false);
  const form = useAdminForm(
    "POST /api/admin/account",
    { name: "", email: "" },
    { success: { title: "This is your account", description: "Add a passkey next." } },
  );
  const { name, email } = form.values;
  return (
    <section className="rounded-md border border-line bg-surface p-4 sm:p-6">
      <h2 className="text-h3">You signed in with the access code</h2>
      <p className="mt-1 max-w-text text-small text-ink-muted">
        Make an account of your own: you sign in with a passkey, the activity log has your name, and the
        access code can stay in a safe place for emergencies.
      </p>
      <Button size="small" className="mt-4" onClick={() => setOpen(true)}>
        Make my account
      </Button>
      {isOpen && (
        <FormDialog
          id="own-account"
          title="Your account"
          description="You are the owner: everything stays open to you."
          form={form}
          submitLabel="Make my account"
          busyText="Saving..."
          failure="The account was not made."
          isReady={name.trim() !== "" && email.trim() !== ""}
          send={() => form.run({ body: { name, email } })}
          onClose={() => setOpen(false)}
        >
          <Field {...form.field("name")} label="Name" required autoComplete="name" />
          <EmailField {...form.field("email")} label="Email" required />
        </FormDialog>
      )}
    </section>
  );
}
