import { useSearchParams } from "react-router";
import { ActivityTable } from "../features/admin/activity/activity-table.tsx";
import { recordPages } from "../features/admin/activity/record-pages.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { AdminPage } from "../features/admin/kit/admin-page.tsx";
import { FilterBar } from "../features/admin/kit/filter-bar.tsx";
import { Pager } from "../features/admin/kit/pager.tsx";
import { AdminProblem } from "../features/admin/kit/problem.tsx";
import { SubNav } from "../features/admin/kit/sub-nav.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-activity";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Activity");

export const loader = adminLoader(({ request }: Route.LoaderArgs, read) => {
  const asked = new URL(request.url).searchParams;
  const query = { subject: asked.get("subject") || null, cursor: asked.get("cursor") || null };
  return read("GET /api/admin/activity", { query });
});

const kinds = [
  { value: null, label: "All" },
  { value: "order", label: "Orders" },
  { value: "product", label: "Products" },
  { value: "review", label: "Reviews" },
  { value: "message", label: "Messages" },
  { value: "discount", label: "Discounts" },
  { value: "settings", label: "Settings" },
  { value: "session", label: "Sessions" },
];

/** The record of every change made in the panel. */
export default function AdminActivity({ loaderData: { data, nextCursor } }: Route.ComponentProps) {
  const [search] = useSearchParams();
  const subject = search.get("subject");
  const isOne = subject?.includes(":") ?? false;
  return (
    <AdminPage title="Activity">
      <SubNav label="Activity" pages={recordPages} />
      <div className="mb-4">
        <FilterBar
          groups={[
            {
              title: "Activity",
              label: "Filter activity",
              param: "subject",
              options: isOne
                ? [
                    { value: null, label: "All" },
                    { value: subject, label: "This one alone" },
                  ]
                : kinds,
            },
          ]}
        />
      </div>
      <ActivityTable entries={data} />
      <Pager nextCursor={nextCursor} />
    </AdminPage>
  );
}

export function ErrorBoundary(_: Route.ErrorBoundaryProps) {
  return <AdminProblem page="Activity" title="Failed to load the activity log" />;
}
