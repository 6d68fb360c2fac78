import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { EmailField } from "../../../ui/email-field.tsx";
import { Field } from "../../../ui/field.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** An account of one's own for whoever came by the access code. */
export function MakeAccount() {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const make = useAdminAction("POST /api/admin/account", {
    failure: null,
    success: { title: "This is your account", description: "Add a passkey next." },
  });
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
          action={make}
          submitLabel="Make my account"
          busyText="Saving..."
          failure="The account was not made."
          isReady={name.trim() !== "" && email.trim() !== ""}
          onSubmit={async () => {
            if ((await make.run({ body: { name, email } })).ok) setOpen(false);
          }}
          onClose={() => setOpen(false)}
        >
          <Field
            label="Name"
            name="name"
            required
            autoComplete="name"
            value={name}
            error={make.fields.name}
            onChange={(event) => setName(event.target.value)}
          />
          <EmailField
            label="Email"
            name="email"
            required
            value={email}
            error={make.fields.email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </FormDialog>
      )}
    </section>
  );
}
