import Archive from "lucide-react/icons/archive";
import ChevronDown from "lucide-react/icons/chevron-down";
import type { ReactNode } from "react";
import type { Backup } from "../../domain/backup/backup.ts";
import { sizeText } from "../../domain/backup/backup-text.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { OffSiteCard } from "../features/admin/backup/off-site-card.tsx";
import { PanelButton } from "../features/admin/kit/action-button.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { downloadConfirmed } from "../features/admin/kit/download.ts";
import { DataTable } from "../features/admin/kit/list/data-table.tsx";
import { ShortDay } from "../features/admin/kit/short-day.tsx";
import { useAdminAction } from "../features/admin/kit/use-admin-action.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { focusHeading } from "../shell/page-focus.tsx";
import { Announcement } from "../ui/announcement.tsx";
import { Badge } from "../ui/badge.tsx";
import { useRefreshWhile } from "../ui/browser/use-refresh-while.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/admin-backups";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Backups");

export const loader = adminLoader(async (_: Route.LoaderArgs, read) => {
  const [{ data }, offSite] = await Promise.all([
    read("GET /api/admin/backups"),
    read("GET /api/admin/off-site"),
  ]);
  return { ...data, offSite: offSite.data };
});

export default function AdminBackups({ loaderData }: Route.ComponentProps) {
  const { backups, folder, isNightly, offSite } = loaderData;
  const { run, busy } = useAdminAction("POST /api/admin/backups", { failure: "The backup was not started" });
  const runningBackup = backups.find(isRunning) ?? null;
  useRefreshWhile(runningBackup !== null, { everyMs: 1_500, maxTimes: Number.POSITIVE_INFINITY });
  const button = (
    <PanelButton
      // Choosing a bucket for copies comes first: until then, its button is the filled one.
      variant={offSite.destination === null ? "secondary" : "primary"}
      busy={busy || runningBackup !== null}
      busyText="Backing up..."
      onClick={async () => {
        const { ok } = await run();
        // The empty list disappears together with this button, so the heading gets the focus.
        if (ok && backups.length === 0) focusHeading();
      }}
    >
      Back up now
    </PanelButton>
  );
  return (
    <AdminPage title="Backups" actions={backups.length > 0 && button}>
      <Announcement text={runningBackup ? "A backup is being made." : lastBackupText(backups[0])} />
      <p className="mb-6 max-w-160 text-ink-muted">
        {isNightly
          ? "Every night the shop is backed up to one file, which is then tested by restoring it."
          : "The nightly backup is turned off (BACKUP_NIGHTLY)."}{" "}
        Files are in <code className="inline-block break-all">{folder}</code>.{" "}
        {offSite.destination === null &&
          "Keep a copy elsewhere, too: a backup on the same machine is lost with it. "}
        Anyone who gets a file that is not encrypted can read everything in it.
      </p>
      <OffSiteCard state={offSite} />
      <BackupList
        backups={backups}
        empty={
          <EmptyState glyph={Archive} heading="h2" title="No backups yet" boxed action={button}>
            {isNightly
              ? "The first one is made tonight. You can also make one now."
              : "You can make one now."}
          </EmptyState>
        }
      />
    </AdminPage>
  );
}

function isRunning({ status }: Backup): boolean {
  return status === "queued" || status === "saving" || status === "testing";
}

function lastBackupText(backup: Backup | undefined): string {
  if (backup?.status === "failed") return "The last backup failed.";
  return backup?.isTestGood ? "The last backup was made and tested." : "";
}

export const ErrorBoundary = problemPage("Backups", "The backups could not be loaded");

const kindLabels: Record<Backup["kind"], string> = {
  nightly: "Nightly",
  manual: "From this page",
  before_migration: "Before an update",
  by_hand: "By command",
};

/** Every backup whose file still exists, newest first, with the result of its test. */
function BackupList({ backups, empty }: { backups: Backup[]; empty: ReactNode }) {
  return (
    <DataTable<Backup>
      caption="Backups, newest first"
      rows={backups}
      empty={empty}
      columns={[
        {
          header: "Made",
          nowrap: true,
          phone: "max-md:col-start-1 max-md:row-start-1",
          cell: ({ takenAt, requestedAt }) => <ShortDay iso={takenAt ?? requestedAt} withTime />,
        },
        {
          header: "Why",
          phone: "max-md:col-start-1 max-md:row-start-2 text-small text-ink-muted",
          cell: ({ kind, bytes, isEncrypted }) => (
            <>
              {kindLabels[kind]}
              {bytes !== null && `, ${sizeText(bytes)}`}
              {isEncrypted && ", encrypted"}
            </>
          ),
        },
        {
          header: "Test",
          phone: "max-md:col-span-2 max-md:row-start-3 text-small",
          cell: (backup) => <TestResult backup={backup} />,
        },
        {
          header: "Result",
          phone: "max-md:col-start-2 max-md:row-start-1 max-md:self-center",
          cell: (backup) => <Result backup={backup} />,
        },
        {
          header: "File",
          phone: "max-md:col-span-2 max-md:row-start-4",
          cell: (backup) => <FileButton backup={backup} />,
        },
      ]}
    />
  );
}

function TestResult({ backup: { testedAt, isTestGood, testLines, problem, status } }: { backup: Backup }) {
  if (status === "failed" && problem !== null) return <span className="text-danger">{problem}</span>;
  if (testedAt === null || !isTestGood) return <span className="text-ink-muted">Not tested</span>;
  return (
    <details className="group">
      <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-1 md:min-h-6 [&::-webkit-details-marker]:hidden">
        <span>
          Restore was tested on <ShortDay iso={testedAt} />
        </span>
        <Icon glyph={ChevronDown} size="small" className="group-open:rotate-180" />
      </summary>
      <ul className="mt-1 grid max-w-text gap-1 text-small text-ink-muted">
        {testLines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  );
}

function Result({ backup: { status, isTestGood, progress } }: { backup: Backup }) {
  if (status === "failed") return <Badge tone="red">Failed</Badge>;
  if (status === "done")
    return isTestGood ? <Badge tone="green">Good</Badge> : <Badge tone="blue">Made</Badge>;
  if (status === "queued") return <Badge tone="blue">Waiting</Badge>;
  return (
    <Badge tone="blue">
      {status === "saving" ? "Saving" : "Testing"} {progress}%
    </Badge>
  );
}

function FileButton({ backup: { id, isHere, bytes, server, takenAt } }: { backup: Backup }) {
  if (bytes === null) return null;
  if (!isHere) return <span className="text-small text-ink-muted">On the server {server}</span>;
  return (
    <button
      type="button"
      className="link inline-flex min-h-6 items-center max-md:min-h-11"
      aria-label={`Download the backup of ${takenAt?.slice(0, 16).replace("T", " ")}`}
      onClick={() => void downloadConfirmed(`/api/admin/backups/${id}/file`, "A backup is downloaded")}
    >
      Download
    </button>
  );
}
