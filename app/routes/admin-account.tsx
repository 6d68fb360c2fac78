import KeyRound from "lucide-react/icons/key-round";
import { useState } from "react";
import type { Passkey } from "../../domain/people/person.ts";
import { roleNames, roleTexts } from "../../domain/people/roles.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { DialogButton, PanelButton } from "../features/admin/kit/action-button.tsx";
import { AdminPage, PageSection, problemPage } from "../features/admin/kit/admin-page.tsx";
import { ButtonWithConfirmation } from "../features/admin/kit/confirm-dialog.tsx";
import { Fold } from "../features/admin/kit/fold.tsx";
import { FormDialog } from "../features/admin/kit/form-dialog.tsx";
import { ShortDay } from "../features/admin/kit/short-day.tsx";
import { useAdminAction, useAdminForm } from "../features/admin/kit/use-admin-action.ts";
import { createPasskey, deviceName } from "../features/admin/people/passkey.tsx";
import { DeviceList, EndOtherSessions } from "../features/admin/sessions/device-list.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { Banner } from "../ui/error-banner.tsx";
import { EmailField, Field } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/admin-account";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "My account");

export const loader = adminLoader(async (_: Route.LoaderArgs, read) => {
  const [{ data: account }, { data: sessions }, { data: devices }] = await Promise.all([
    read("GET /api/admin/account"),
    read("GET /api/admin/sessions"),
    read("GET /api/admin/account/devices"),
  ]);
  const ownId = account.person?.id ?? null;
  return {
    account,
    devices: { ...devices, devices: devices.devices.filter(({ isOwn }) => isOwn) },
    sessions: sessions.filter(({ person }) => (person?.id ?? null) === ownId),
  };
});

/** The signed-in user's own account: role, passkeys, devices and sessions. */
export default function AdminAccount({ loaderData: { account, devices, sessions } }: Route.ComponentProps) {
  const { person, role, passkeys, passkeyProblem } = account;
  return (
    <AdminPage title="My account">
      <div className="stack max-w-232 gap-6">
        {person === null ? (
          <CreateAccount />
        ) : (
          <>
            <section className="divide-y divide-line overflow-hidden rounded-md border border-line bg-surface">
              <div className="p-4 sm:p-5">
                <h2 className="card-title wrap-anywhere">{person.name}</h2>
                <p className="text-small wrap-anywhere text-ink-muted">{person.email}</p>
              </div>
              <Fold title="Rights" state={roleNames[role]} level="h3">
                <ul className="grid max-w-text list-disc gap-1.5 pl-5 text-ui">
                  {roleTexts[role].map((right) => (
                    <li key={right}>{right}</li>
                  ))}
                </ul>
              </Fold>
            </section>
            <OwnPasskeys passkeys={passkeys} problem={passkeyProblem} />
          </>
        )}
        <PageSection
          title={person === null ? "Devices signed in with the access code" : "Devices"}
          lead="Where you are signed in, and what each device is notified of. A session ends automatically after 12 hours."
        >
          <DeviceList sessions={sessions} data={devices} />
          {sessions.length > 1 && (
            <div>
              <EndOtherSessions />
            </div>
          )}
        </PageSection>
      </div>
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("My account", "Failed to load your account");

/** Lists the viewer's passkeys, with buttons to add, rename and remove them. `problem`: why passkeys cannot be used here. */
function OwnPasskeys({ passkeys, problem }: { passkeys: Passkey[]; problem: string | null }) {
  return (
    <section aria-labelledby="passkeys" className="rounded-md border border-line bg-surface p-4 sm:p-6">
      <h2 id="passkeys" className="card-title">
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
                <DialogButton
                  aria-label={`Rename ${passkey.name}`}
                  dialog={(onClose) => <RenameDialog passkey={passkey} onClose={onClose} />}
                >
                  Rename
                </DialogButton>
                <RemovePasskey passkey={passkey} isLast={passkeys.length === 1} />
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
        const response = await add.run({ body: { name: deviceName(), passkey: passkey.value } });
        if (!response.ok) setProblem(response.problem.message);
      }
    }
    setWaiting(false);
  }
  return (
    <>
      <PanelButton
        variant={isFirst ? "primary" : "secondary"}
        busy={isWaiting}
        busyText="Waiting for your device..."
        onClick={() => void run()}
      >
        <Icon glyph={KeyRound} size="small" /> {isFirst ? "Add a passkey" : "Add another passkey"}
      </PanelButton>
      <p role="status" className="mt-2 text-small text-danger empty:hidden">
        {problem}
      </p>
    </>
  );
}

function RenameDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const form = useAdminForm(
    "PATCH /api/admin/account/passkeys/:id",
    { name: passkey.name },
    { success: { title: "Passkey renamed" } },
  );
  const { name } = form.values;
  return (
    <FormDialog
      title="Rename the passkey"
      description="The name helps you recognize the device later."
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

function RemovePasskey({ passkey, isLast }: { passkey: Passkey; isLast: boolean }) {
  return (
    <ButtonWithConfirmation
      label="Remove"
      buttonLabel={`Remove ${passkey.name}`}
      title={isLast ? "Remove your last passkey?" : `Remove ${passkey.name}?`}
      description={
        isLast
          ? "Without it you cannot sign in by yourself anymore: you need a new link from the owner, or the access code."
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
function CreateAccount() {
  const [isOpen, setOpen] = useState(false);
  const form = useAdminForm(
    "POST /api/admin/account",
    { name: "", email: "" },
    { success: { title: "This is your account", description: "Add a passkey next." } },
  );
  const { name, email } = form.values;
  return (
    <section className="rounded-md border border-line bg-surface p-4 sm:p-6">
      <h2 className="card-title">You signed in with the access code</h2>
      <p className="mt-1 max-w-text text-small text-ink-muted">
        Create an account of your own: you sign in with a passkey, the activity log shows your name, and the
        access code can stay in a safe place for emergencies.
      </p>
      <PanelButton variant="primary" className="mt-4" onClick={() => setOpen(true)}>
        Create my account
      </PanelButton>
      {isOpen && (
        <FormDialog
          title="Your account"
          description="You are the owner and keep access to everything."
          form={form}
          submitLabel="Create my account"
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
