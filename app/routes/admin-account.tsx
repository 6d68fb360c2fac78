import { roleNames, roleTexts } from "../../domain/people/roles.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { AdminPage, PageSection, problemPage } from "../features/admin/kit/admin-page.tsx";
import { MakeAccount, OwnPasskeys } from "../features/admin/people/own-account.tsx";
import { DeviceList, EndOthers } from "../features/admin/sessions/device-list.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
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
      <div className="grid max-w-232 grid-cols-[minmax(0,1fr)] gap-6">
        {person === null ? (
          <MakeAccount />
        ) : (
          <>
            <section className="rounded-md border border-line bg-surface p-4 sm:p-6">
              <h2 className="text-h3 wrap-anywhere">{person.name}</h2>
              <p className="text-small wrap-anywhere text-ink-muted">{person.email}</p>
              <p className="mt-3 text-ui">
                <strong className="font-semibold">{roleNames[role]}</strong>. {roleTexts[role]}
              </p>
            </section>
            <OwnPasskeys passkeys={passkeys} problem={passkeyProblem} />
          </>
        )}
        <PageSection
          title={person === null ? "Devices signed in by the access code" : "Devices"}
          lead="Where you are signed in, and what each device is notified of. A session ends by itself after 12 hours."
        >
          <DeviceList sessions={sessions} data={devices} />
          {sessions.length > 1 && (
            <div>
              <EndOthers />
            </div>
          )}
        </PageSection>
      </div>
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("My account", "Failed to load your account");
