import { Link } from "react-router";
import { adminLoader } from "../features/admin/admin-data.ts";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { DeviceList, EndOtherSessions } from "../features/admin/sessions/device-list.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-sessions";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Sessions");

export const loader = adminLoader(async (_: Route.LoaderArgs, read) => {
  const [sessions, devices] = await Promise.all([
    read("GET /api/admin/sessions"),
    read("GET /api/admin/account/devices"),
  ]);
  return { sessions: sessions.data, devices: devices.data };
});

/** Everybody's devices: where the panel is unlocked, and which of them are notified. */
export default function AdminSessions({ loaderData: { sessions, devices } }: Route.ComponentProps) {
  return (
    <AdminPage title="Sessions" actions={sessions.length > 1 && <EndOtherSessions ofEverybody />}>
      <p className="mb-4 max-w-text text-small text-ink-muted">
        Every device that is signed in or gets notifications. Sessions end when you log out, or after 12
        hours. Your passkeys are under{" "}
        <Link className="link" to="/admin/account">
          My account
        </Link>
        .
      </p>
      <div className="max-w-232 rounded-md border border-line bg-surface p-4 sm:p-6">
        <DeviceList sessions={sessions} data={devices} withNames />
      </div>
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Sessions", "Failed to load the sessions");
