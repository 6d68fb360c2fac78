import * as v from "valibot";
import { defineJob } from "../platform/jobs/jobs.ts";

/** Makes a backup and tests it; low priority, and minutes long in a large shop. */
export const makeBackupJob = defineJob({
  name: "make_backup",
  payload: v.object({ backupId: v.number() }),
  lane: "long",
  priority: 0,
  maxAttempts: 3,
});

/** Reports a restore to the owner, and checks the money since the backup with the payment provider. */
export const afterRestoreJob = defineJob({
  name: "after_restore",
  payload: v.object({ createdAt: v.string() }),
  lane: "upkeep",
  priority: 0,
  maxAttempts: 10,
});
