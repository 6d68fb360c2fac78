import KeyRound from "lucide-react/icons/key-round";
import { useState } from "react";
import type { Passkey } from "../../../../domain/people/person.ts";
import { Button } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { EmailField, Field } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { ConfirmCall } from "../kit/confirm-dialog.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { useAdminAction, useAdminForm } from "../kit/use-admin-action.ts";
import { createPasskey, deviceName } from "./passkey.tsx";

/** Lists the viewer's passkeys and lets them add, rename and remove one. `problem`: why passkeys cannot be used here. */
export function OwnPasskeys({ passkeys, problem }: { passkeys: Passkey[]; problem: string | null }) {
  const [open, setOpen] = useState<{ kind: "rename" | "remove"; passkey: Passkey } | null>(null);
  return (
    <section aria-labelledby="passkeys" className="rounded-md border border-line bg-surface p-4 sm:p-6">
      <h2 id="passkeys" className="text-h3">
        Passkeys
      </h2>
      <p className="mt-1 max-w-text text-small text-ink-muted">
        Your fingerprint, face or device code signs you in. Add one on each of two devices, so that a lost
        phone does not lock you out.
      </p>
      {passkeys.length === 0 && problem === null && (
        <Banner tone="warning" className="mt-4" title="You have no passkey yet.">
          Add one now. When this session ends, you can only sign in with a new link.
        </Banner>
      )}
      {passkeys.length > 0 && (
        <ul className="mt-4">
          {passkeys.map((passkey) => (
            <li
              key={passkey.id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line py-3"
            >
              <span className="min-w-0">
                <span className="flex items-center gap-2 font-medium wrap-anywhere">
                  <Icon glyph={KeyRound} size="small" /> {passkey.name}
                </span>
                <span className="block text-small text-ink-muted">
                  {passkey.lastUsedAt ? (
                    <>
                      Last used <ShortDay iso={passkey.lastUsedAt} withTime />
                    </>
                  ) : (
                    <>
                      Added <ShortDay iso={passkey.createdAt} />, not used yet
                    </>
                  )}
                  {passkey.isSynced && ", on all your devices"}
                </span>
              </span>
              <span className="flex gap-2">
                <Button
                  variant="secondary"
                  size="small"
                  aria-label={`Rename ${passkey.name}`}
                  onClick={() => setOpen({ kind: "rename", passkey })}
                >
                  Rename
                </Button>
                <Button
                  variant="danger-quiet"
                  size="small"
                  aria-label={`Remove ${passkey.name}`}
                  onClick={() => setOpen({ kind: "remove", passkey })}
                >
                  Remove
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-4">
        {problem === null ? (
          <AddPasskey isFirst={passkeys.length === 0} />
        ) : (
          <p className="max-w-text text-small text-ink-muted">{problem}</p>
        )}
      </div>
      {open?.kind === "rename" && <Rename passkey={open.passkey} onClose={() => setOpen(null)} />}
      {open?.kind === "remove" && (
        <Remove passkey={open.passkey} isLast={passkeys.length === 1} onClose={() => setOpen(null)} />
      )}
    </section>
  );
}

function AddPasskey({ isFirst }: { isFirst: boolean }) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isWaiting, setWaiting] = useState(false);
  const requestChallenge = useAdminAction("POST /api/admin/account/passkeys/question", { failure: null });
  const add = useAdminAction("POST /api/admin/account/passkeys", {
    failure: null,
    success: { title: "Passkey added", description: "You can sign in with it from now on." },
  });
  async function run() {
    setProblem(null);
    setWaiting(true);
    const creationOptions = await requestChallenge.run();
    if (!creationOptions.ok) setProblem(creationOptions.problem.message);
    else {
      const passkey = await createPasskey(creationOptions.body.data);
      if (!passkey.ok) setProblem(passkey.message ?? "No passkey was added.");
      else {
        const answer = await add.run({ body: { name: deviceName(), passkey: passkey.value } });
        if (!answer.ok) setProblem(answer.problem.message);
      }
    }
    setWaiting(false);
  }
  return (
    <>
      <Button
        variant={isFirst ? "primary" : "secondary"}
        size="small"
        busy={isWaiting}
        busyText="Waiting for your device..."
        onClick={() => void run()}
      >
        <Icon glyph={KeyRound} size="small" /> {isFirst ? "Add a passkey" : "Add another passkey"}
      </Button>
      <p role="status" className="mt-2 text-small text-danger empty:hidden">
        {problem}
      </p>
    </>
  );
}

function Rename({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const form = useAdminForm(
    "PATCH /api/admin/account/passkeys/:id",
    { name: passkey.name },
    { success: { title: "Passkey renamed" } },
  );
  const { name } = form.values;
  return (
    <FormDialog
      title="Rename the passkey"
      description="The name tells you later which device it is on."
      form={form}
      submitLabel="Rename"
      failure="It was not renamed."
      isReady={name.trim() !== "" && name.trim() !== passkey.name}
      send={() => form.run({ params: { id: passkey.id }, body: { name } })}
      onClose={onClose}
    >
      <Field {...form.field("name")} label="Name" name="passkeyName" autoComplete="off" />
    </FormDialog>
  );
}

function Remove({ passkey, isLast, onClose }: { passkey: Passkey; isLast: boolean; onClose: () => void }) {
  return (
    <ConfirmCall
      onClose={onClose}
      title={isLast ? "Remove your last passkey?" : `Remove ${passkey.name}?`}
      description={
        isLast
          ? "Without it you cannot sign in by yourself any more: you need a new link from the owner, or the access code."
          : "You can no longer sign in with it. Sessions started with it stay open; end them below if the device is lost."
      }
      confirmLabel={isLast ? "Remove the last one" : "Remove"}
      busyText="Removing..."
      call="DELETE /api/admin/account/passkeys/:id"
      success={{ title: `${passkey.name} removed` }}
      send={(run) => run({ params: { id: passkey.id }, query: isLast ? { evenLast: "yes" } : {} })}
    />
  );
}

/** Creates an account for a viewer who signed in with the access code. */
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
          title="Your account"
          description="You are the owner: everything stays open to you."
          form={form}
          submitLabel="Make my account"
          failure="The account was not created."
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
