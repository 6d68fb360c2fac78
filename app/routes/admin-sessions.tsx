import { adminLoader } from "../features/admin/admin-data.ts";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { EndOthers, SessionTable } from "../features/admin/sessions/session-table.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-sessions";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Sessions");

export const loader = adminLoader(
  async (_: Route.LoaderArgs, read) => (await read("GET /api/admin/sessions")).data,
);

/** Open sessions of the panel. */
export default function AdminSessions({ loaderData: sessions }: Route.ComponentProps) {
  return (
    <AdminPage title="Sessions" actions={sessions.length > 1 && <EndOthers />}>
      <p className="mb-4 max-w-text text-small text-ink-muted">
        The panel is unlocked in these browsers. A session ends with Log Out, or automatically after 12 hours.
        Those of the access code have no name.
      </p>
      <SessionTable sessions={sessions} />
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Sessions", "Failed to load the sessions");
