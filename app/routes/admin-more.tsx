import { useRouteLoaderData } from "react-router";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { CornerLinks } from "../features/admin/shell/admin-frame.tsx";
import { TabLinks, useAllowedTabs } from "../features/admin/shell/admin-nav.tsx";
import { barLabels } from "../features/admin/shell/tabs.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-more";
import type { loader } from "./admin.tsx";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "More");

/**
 * The rest of the menu on phones: the entries that do not fit into the bottom bar, and the links that wide screens show
 * in a corner.
 */
export default function AdminMore() {
  const counts = useRouteLoaderData<typeof loader>("routes/admin") ?? null;
  const tabs = useAllowedTabs().filter(({ label }) => !barLabels.includes(label));
  return (
    <AdminPage title="More">
      <p className="text-ink-muted max-lg:hidden">All pages are in the menu on the left.</p>
      <nav aria-label="More sections" className="lg:hidden rounded-md border border-line bg-surface p-3">
        <TabLinks tabs={tabs} counts={counts} />
        <div className={tabs.length > 0 ? "mt-3 border-t border-line pt-3" : ""}>
          <CornerLinks />
        </div>
      </nav>
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("More", "Failed to load the sections");
