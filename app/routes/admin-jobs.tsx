import { failedTaskDays } from "../../domain/privacy/retention.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { FailedJobsTable, RetryAll } from "../features/admin/jobs/failed-jobs-table.tsx";
import { AdminPage, problemPage, SubNav } from "../features/admin/kit/admin-page.tsx";
import { useRefreshWhile } from "../features/admin/kit/use-refresh-while.ts";
import { activityPages } from "../features/admin/shell/tabs.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-jobs";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Background work");

export const loader = adminLoader(
  async (_: Route.LoaderArgs, read) => (await read("GET /api/admin/jobs/failed")).data,
);

/** Background jobs that failed. */
export default function AdminJobs({ loaderData: { jobs, total, retrying } }: Route.ComponentProps) {
  useRefreshWhile(retrying > 0);
  return (
    <AdminPage title="Background work" actions={total > 1 && <RetryAll total={total} />}>
      <SubNav label="Activity" pages={activityPages} />
      {(jobs.length > 0 || retrying > 0) && (
        <p className="mb-4 max-w-text text-small text-pretty text-ink-muted" role="status">
          {jobs.length > 0 &&
            `These jobs failed at every try. They are deleted after ${failedTaskDays} days. `}
          {retrying > 0 &&
            (retrying === 1
              ? "One that failed is being tried again by itself."
              : `${retrying} that failed are being tried again by themselves.`)}
        </p>
      )}
      <FailedJobsTable jobs={jobs} />
      {total > jobs.length && (
        <p className="mt-4 text-small text-ink-muted">
          The latest {jobs.length} of {total}.
        </p>
      )}
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Background work", "Failed to load the background work");
