import { useRevalidator } from "react-router";
import type { Backup } from "../../domain/backup/backup.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { BackupList } from "../features/admin/backup/backup-list.tsx";
import { AdminPage, problemPage, SubNav } from "../features/admin/kit/admin-page.tsx";
import { useAdminAction } from "../features/admin/kit/use-admin-action.ts";
import { setUpPages } from "../features/admin/shell/tabs.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { Announcement } from "../ui/announcement.tsx";
import { usePolling } from "../ui/browser/use-polling.ts";
import { Button } from "../ui/button.tsx";
import type { Route } from "./+types/admin-backups";

const pollMs = 1_500;

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Backups");

export const loader = adminLoader(
  async (_: Route.LoaderArgs, read) => (await read("GET /api/admin/backups")).data,
);

export default function AdminBackups({ loaderData: { backups, folder, isNightly } }: Route.ComponentProps) {
  const { revalidate } = useRevalidator();
  const { run, busy } = useAdminAction("POST /api/admin/backups", { failure: "No backup was begun" });
  const underway = backups.find(isUnderway) ?? null;
  usePolling(underway !== null, revalidate, pollMs);
  return (
    <AdminPage
      title="Backups"
      actions={
        <Button
          size="small"
          busy={busy || underway !== null}
          busyText="Backing up..."
          onClick={() => void run()}
        >
          Back up now
        </Button>
      }
    >
      <SubNav label="Set-up" pages={setUpPages} />
      <Announcement text={underway ? "A backup is being made." : tested(backups[0])} />
      <p className="mb-6 max-w-160 text-ink-muted">
        {isNightly
          ? "Every night the shop saves itself in one file and restores that for a test."
          : "The nightly backup is turned off (BACKUP_NIGHTLY)."}{" "}
        Files are in <code className="break-all">{folder}</code>. Keep one elsewhere, too: a backup on the
        same machine is lost with it. Whoever has a file that is not encrypted can read all of it.
      </p>
      <BackupList backups={backups} />
    </AdminPage>
  );
}

function isUnderway({ status }: Backup): boolean {
  return status === "queued" || status === "saving" || status === "testing";
}

function tested(backup: Backup | undefined): string {
  if (backup?.status === "failed") return "The last backup failed.";
  return backup?.isTestGood ? "The last backup was made and tested." : "";
}

export const ErrorBoundary = problemPage("Backups", "The backups could not be loaded");
