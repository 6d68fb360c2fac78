import CircleCheck from "lucide-react/icons/circle-check";
import { Link } from "react-router";
import { messageKindLabels } from "../../domain/outbox/outbox.ts";
import { describeJob, errorInWords, type FailedJob } from "../../domain/overview/failed-jobs.ts";
import { failedTaskDays } from "../../domain/privacy/retention.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { ActionButton } from "../features/admin/kit/action-button.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { ButtonWithConfirmation } from "../features/admin/kit/confirm-dialog.tsx";
import { actionsColumn, type Column, DataTable } from "../features/admin/kit/list/data-table.tsx";
import { ShortDay } from "../features/admin/kit/short-day.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { useRefreshWhile } from "../ui/browser/use-refresh-while.ts";
import { EmptyState } from "../ui/empty-state.tsx";
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
      {(jobs.length > 0 || retrying > 0) && (
        <p className="mb-4 max-w-text text-small text-ink-muted" role="status">
          {jobs.length > 0 &&
            `These jobs failed on every attempt. They are deleted after ${failedTaskDays} days. `}
          {retrying > 0 &&
            (retrying === 1
              ? "One that failed is being retried automatically."
              : `${retrying} that failed are being retried automatically.`)}
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

/** Failed jobs with their errors, to retry or remove. */
function FailedJobsTable({ jobs }: { jobs: FailedJob[] }) {
  return (
    <DataTable
      caption="Failed background jobs"
      columns={[
        ...columns,
        {
          ...actionsColumn,
          phone: "max-md:col-span-2 max-md:mt-2",
          cell: (job) => <Actions job={job} />,
        },
      ]}
      rows={jobs}
      empty={
        <EmptyState boxed glyph={CircleCheck} title="No failed jobs">
          Emails, refunds, payment updates: a background job that fails is retried automatically, for hours.
          Jobs that still fail after that are listed here.
        </EmptyState>
      }
    />
  );
}

function Actions({ job }: { job: FailedJob }) {
  const { title, canRemove } = describeJob(job.kind);
  const jobName = job.order === null ? title : `${title}, order #${job.order.number}`;
  return (
    <div className="flex flex-wrap gap-2 md:grid md:justify-items-end xl:grid-cols-[1fr_6rem]">
      <ActionButton
        call="POST /api/admin/jobs/failed/:id/retry"
        success={{
          title: "Trying again",
          description: "If it fails again, it is listed here again.",
        }}
        failure="That did not work"
        busyText="Trying..."
        className="whitespace-nowrap"
        aria-label={`Try again: ${jobName}`}
        send={(run) => run({ params: { id: job.id } })}
      >
        Try again
      </ActionButton>
      {canRemove && (
        <ButtonWithConfirmation
          label="Remove"
          buttonLabel={`Remove: ${jobName}`}
          title="Remove this job?"
          description={`“${title}” won’t run. Nobody is waiting for it, but this can’t be undone.`}
          confirmLabel="Remove"
          busyText="Removing..."
          call="DELETE /api/admin/jobs/failed/:id"
          success={{ title: "Job removed" }}
          send={(run) => run({ params: { id: job.id } })}
        />
      )}
    </div>
  );
}

const columns: Column<FailedJob>[] = [
  {
    header: "Job",
    phone: "max-md:col-span-2",
    cell: (job) => {
      const { title, meaning } = describeJob(job.kind);
      return (
        <div className="md:min-w-32">
          <span className="font-medium">{title}</span>
          {meaning && <span className="block text-small text-ink-muted">{meaning}</span>}
          <JobLinks job={job} />
        </div>
      );
    },
  },
  {
    header: "Reason",
    phone: "max-md:col-span-2",
    cell: ({ reason }) => {
      const explanation = reason && errorInWords(reason);
      return (
        <>
          {explanation && <span className="text-small text-danger">{explanation}</span>}
          <span
            className={`line-clamp-3 wrap-anywhere ${explanation || !reason ? "text-caption text-ink-muted" : "text-small text-danger"}`}
            title={reason ?? undefined}
          >
            {reason ?? "No reason was given."}
          </span>
        </>
      );
    },
  },
  {
    header: "Gave up",
    phone: "max-md:col-span-2 max-md:text-small max-md:text-ink-muted",
    cell: ({ failedAt, attempts }) => (
      <>
        <span className="md:whitespace-nowrap">
          <ShortDay iso={failedAt} withTime />
        </span>
        <span className="text-small text-ink-muted md:block">
          <span className="md:hidden">, </span>
          {attempts === 1 ? "after one attempt" : `after ${attempts} attempts`}
        </span>
      </>
    ),
  },
];

function JobLinks({ job: { order, message } }: { job: FailedJob }) {
  const links = [
    order && { to: `/admin/orders/${order.id}`, label: `Order #${order.number}` },
    message && { to: `/admin/messages/sent/${message.id}`, label: messageKindLabels[message.kind] },
  ].filter((link) => link !== null);
  if (links.length === 0) return null;
  return (
    <span className="flex flex-wrap gap-x-4 md:mt-1">
      {links.map(({ to, label }) => (
        <Link key={to} to={to} className="link inline-flex min-h-11 items-center text-small md:min-h-6">
          {label}
        </Link>
      ))}
    </span>
  );
}

/** Retries every failed job. */
function RetryAll({ total }: { total: number }) {
  return (
    <ActionButton
      call="POST /api/admin/jobs/failed/retry"
      success={({ data: { retried } }) => ({
        title: retried === 1 ? "Trying one job again" : `Trying ${retried} jobs again`,
        description: "Jobs that fail again are listed here again.",
      })}
      failure="That did not work"
      variant="primary"
      busyText="Trying..."
      send={(run) => run()}
    >
      Try all {total} again
    </ActionButton>
  );
}
