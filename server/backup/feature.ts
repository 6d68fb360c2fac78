import type { Feature } from "../feature.ts";
import { task } from "../platform/jobs/jobs.ts";
import { backupApi } from "./api.ts";
import { makeBackup } from "./commands.ts";
import { afterRestoreJob, makeBackupJob } from "./job-kinds.ts";
import { lookAfterRestore, nightlyBackup } from "./nightly.ts";

/** Backups of the whole shop in one file: made nightly, tested and restored. */
export const backupFeature = {
  api: backupApi,
  tasks: (ctx) => [
    task(makeBackupJob, ({ backupId }, context) => makeBackup(ctx, backupId, context)),
    task(afterRestoreJob, ({ createdAt }) => lookAfterRestore(ctx, createdAt)),
  ],
  cron: (ctx) => [nightlyBackup(ctx)],
} satisfies Feature;
