import { useRouteLoaderData } from "react-router";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { TabLinks, useAllowedTabs } from "../features/admin/shell/admin-nav.tsx";
import { barTabs } from "../features/admin/shell/tabs.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-more";
import type { loader } from "./admin.tsx";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "More");

/** The remaining tabs, for phones: the bar at the bottom has room for the first four only. */
export default function AdminMore() {
  const counts = useRouteLoaderData<typeof loader>("routes/admin") ?? null;
  return (
    <AdminPage title="More">
      <nav aria-label="More sections" className="rounded-md border border-line bg-surface p-3">
        <TabLinks tabs={useAllowedTabs().filter((tab) => !barTabs.includes(tab))} counts={counts} />
      </nav>
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("More", "Failed to load the sections");
